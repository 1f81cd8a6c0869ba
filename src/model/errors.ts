/** The code of a failed system call (`ENOSPC`), of TLS or of a library; undefined for any other thrown value. Never throws. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** What a thrown value says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code says more than the sentence of undici, and an `AggregateError` has no sentence at all. */
export function codeOrMessageOf(error: unknown): string {
  return errnoOf(error) ?? messageOf(error);
}

/** The result of an action on a file or folder; undefined if there is none. Rejects with every other error. */
export async function unlessAbsent<T>(action: Promise<T>): Promise<T | undefined> {
  try {
    return await action;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The value of a JSON text; undefined if it is not JSON. Never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a parsed value is an object with keys: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An act whose expected failures are told and not thrown. One that lasts is told once, and again when it comes back. */
export function tolerate(
  act: () => Promise<void>,
  isExpected: (error: unknown) => error is Error,
  tell: (sentence: string) => void,
) {
  let told = "";
  return async (): Promise<void> => {
    try {
      await act();
      told = "";
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (error.message !== told) tell(error.message);
      told = error.message;
    }
  };
}
