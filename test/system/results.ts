import { expect } from "vitest";
import { type CliResult, eventsNamed } from "../cli/cli.ts";

/** Fails with what the program said when it did not end well. */
export function expectDone(result: CliResult): CliResult {
  expect(result, result.stderr).toMatchObject({ code: 0 });
  return result;
}

/** What a command tells of its last publish, with the requests of all of them. Throws when there was none. */
export function publishedBy({ stderr }: CliResult): Readonly<Record<string, unknown>> {
  const event = eventsNamed(stderr, "published").at(-1);
  if (event === undefined) throw new Error(`nothing was published: ${stderr}`);
  return event;
}

/** Starts a clock, for figures that are printed beside a result: so many seconds have gone by. */
export function startClock(): { readonly ms: () => number; readonly seconds: () => string } {
  const startedMs = performance.now();
  const ms = (): number => performance.now() - startedMs;
  return { ms, seconds: () => `${(ms() / 1_000).toFixed(1)} s` };
}
