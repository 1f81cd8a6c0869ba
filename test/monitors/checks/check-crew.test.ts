import { describe, expect, onTestFinished, test } from "vitest";
import { createCheckCrew } from "../../../src/monitors/checks/check-crew.ts";
import type { CheckTarget } from "../../../src/monitors/checks/check-target.ts";
import type { ProbeConfig } from "../../../src/probe/probe-config.ts";
import { startRawServer, say } from "./raw-server.ts";
import { PLAIN_CONFIG } from "./run-pool.ts";

const NEVER = new AbortController().signal;
const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/** A target that is refused without a request. */
const odd = (id: string): CheckTarget => ({ id, url: "file:///", lastState: "unknown" });
const REFUSED = { kind: "refused", code: "url-refused" };

function start(config: Partial<ProbeConfig> = {}, threads = 1) {
  const warnings: string[] = [];
  const crew = createCheckCrew(
    { ...PLAIN_CONFIG, ...config },
    { threads, concurrency: 4, confirmDelaysMs: [], onWarning: (one) => warnings.push(one) },
  );
  onTestFinished(() => crew.close());
  return { crew, warnings };
}

/** A site that answers once the test says so. */
async function startSlowSite() {
  const waiting: (() => void)[] = [];
  const server = await startRawServer(() => (socket) => {
    waiting.push(() => say(HELLO)(socket));
  });
  onTestFinished(() => server.close());
  const config: Partial<ProbeConfig> = {
    allowPrivate: ["127.0.0.0/8"],
    allowedPorts: [server.port],
  };
  const targetOf = (id: string, host: number): CheckTarget => {
    return { id, url: `http://127.0.0.${host}:${server.port}/`, lastState: "healthy" };
  };
  return { config, targetOf, waiting };
}

describe("a crew", () => {
  test("gives the results of each batch by id, also if two have the same ids", async () => {
    const { crew, warnings } = start({}, 2);
    const batches = [["a", "b"], ["b", "c d"], []].map((ids) => crew.check(ids.map(odd), NEVER));
    const [one, two] = await Promise.all(batches.slice(0, 2));
    expect(one).toEqual(
      new Map([
        ["a", REFUSED],
        ["b", REFUSED],
      ]),
    );
    expect(two).toEqual(
      new Map([
        ["b", REFUSED],
        ["c d", REFUSED],
      ]),
    );
    expect(await crew.check([odd("a")], NEVER)).toEqual(new Map([["a", REFUSED]]));
    expect(warnings).toEqual([]);
  });

  test("gives what is done of a batch when the signal is aborted", async () => {
    const { config, targetOf, waiting } = await startSlowSite();
    const { crew } = start(config);
    const stop = new AbortController();
    const checking = crew.check([odd("odd"), targetOf("slow", 1)], stop.signal);
    await expect.poll(() => waiting.length).toBe(1);
    // The result of the odd one has come when that of a later one has.
    await crew.check([odd("later")], NEVER);
    stop.abort();
    expect(await checking).toEqual(new Map([["odd", REFUSED]]));
    expect(await crew.check([odd("a")], stop.signal)).toEqual(new Map());
  });

  test("is hungry while fewer targets than lanes have not begun", async () => {
    const { config, targetOf, waiting } = await startSlowSite();
    const { crew } = start(config);
    expect(crew.isHungry()).toBe(true);
    // A thread that has only begun says that it has nothing.
    await crew.check([odd("first")], NEVER);
    // Three lanes, and all targets of one host stand in one of them.
    const checking = crew.check(
      ["a", "b", "c", "d"].map((id) => targetOf(id, 1)),
      NEVER,
    );
    expect(crew.isHungry()).toBe(false);
    await expect.poll(() => waiting.length).toBe(1);
    expect(crew.isHungry()).toBe(false);
    for (let at = 0; at < 4; at += 1) {
      await expect.poll(() => waiting.length).toBe(at + 1);
      waiting[at]?.();
    }
    expect([...(await checking).keys()].toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(crew.isHungry()).toBe(true);
  });

  test("stays hungry if the signal is aborted before a batch has begun", async () => {
    const { crew } = start();
    const ids = Array.from({ length: 10 }, (_, at) => `m${at}`);
    expect(await crew.check(ids.map(odd), AbortSignal.abort())).toEqual(new Map());
    expect(crew.isHungry()).toBe(true);
    expect((await crew.check([odd("a")], NEVER)).size).toBe(1);
  });

  test("replaces a thread that crashes seven times, and says what is skipped", async () => {
    const { crew, warnings } = start({ roots: undefined as never });
    const lost = crew.check([odd("a"), odd("b")], NEVER);
    expect(await lost).toEqual(new Map());
    await expect.poll(() => warnings.length).toBe(8);
    // It takes no more work: other workers can do it.
    expect(crew.isHungry()).toBe(false);
    expect(await crew.check([odd("c")], NEVER)).toEqual(new Map());
    expect(crew.isHungry()).toBe(false);
    const [first, ...others] = warnings;
    expect(first).toMatch(
      /^A thread that checks monitors has crashed \(.+\): 2 monitors are skipped\.$/u,
    );
    for (const other of others) expect(other).toMatch(/: 0 monitors are skipped\.$/u);
  });
});
