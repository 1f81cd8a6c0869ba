import { type Ask, createVerifyClient, type ReceivedAnswer } from "../../src/verify/http/client.ts";

type Headers = Readonly<Record<string, string>>;

/** What an answer has beside a 200 with nothing in it. `code`: of a failure in place of it. */
export interface GivenAnswer {
  readonly status?: number;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
  readonly code?: string;
}

/** A client of a server that gives these answers, by request. */
export function clientOf(answerTo: (ask: Ask) => GivenAnswer) {
  const exchange = async (ask: Ask): Promise<ReceivedAnswer> => {
    const { status = 200, headers = {}, body = "", code } = answerTo(ask);
    if (code !== undefined) throw Object.assign(new Error("no answer"), { code });
    const lines = Object.entries(headers).map(([name, value]) => [name, [value]] as const);
    return { kind: "answer", ask, status, headers: new Map(lines), body: Buffer.from(body) };
  };
  const transport = { exchange, close: () => Promise.resolve() };
  return createVerifyClient(transport, { timeoutMs: 60_000, signal: new AbortController().signal });
}
