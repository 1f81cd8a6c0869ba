import { expect } from "vitest";
import { type CliResult, eventsNamed } from "../cli/cli.ts";

/** Fails with the log of the program if it did not exit with 0. */
export function expectDone(result: CliResult): CliResult {
  expect(result, result.stderr).toMatchObject({ code: 0 });
  return result;
}

/** The last `published` event of a command, with the requests of all its publishes. Throws if there is none. */
export function publishedBy({ stderr }: CliResult): Readonly<Record<string, unknown>> {
  const event = eventsNamed(stderr, "published").at(-1);
  if (event === undefined) throw new Error(`nothing was published: ${stderr}`);
  return event;
}

/** Starts a stopwatch, for figures that are printed with a result. */
export function startClock(): { readonly ms: () => number; readonly seconds: () => string } {
  const startedMs = performance.now();
  const ms = (): number => performance.now() - startedMs;
  return { ms, seconds: () => `${(ms() / 1_000).toFixed(1)} s` };
}
