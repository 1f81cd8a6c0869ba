import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { packWork, unpackResults } from "../../src/engine/batches.ts";
import { connectEngine } from "../../src/engine/connection.ts";
import { type BatchName, resultSubjectOf, workSubjectOf } from "../../src/engine/names.ts";
import { type BatchEnd, serveBatches } from "../../src/engine/serve-batches.ts";
import type { CheckResult } from "../../src/model/monitor/monitor.ts";
import type { CheckTarget } from "../../src/monitors/checks/check-target.ts";
import { startFakeNats } from "./fake-nats.ts";
import { fakeStreams } from "./fake-streams.ts";

const NAME: BatchName = { vantage: "main", cell: "0-1", slot: 7, number: 0 };
const ACK = "$JS.ACK.stream.consumer.1.1.1.0.0";
/** What a worker says of its batch, but for signs of life. */
const OWN: ReadonlySet<string> = new Set([resultSubjectOf(NAME), ACK]);
const HEALTHY: CheckResult = { kind: "healthy", totalMs: 7 };
const FAILING: CheckResult = { kind: "failing", code: "tcp-timeout" };

interface Given {
  /** State of the only monitor before. */
  readonly before?: CheckTarget["lastState"];
  readonly result?: CheckResult;
  readonly isOnline?: boolean;
  /** After the check. */
  readonly isStillOnline?: boolean;
  readonly isStopped?: boolean;
  /** What the server delivers, in place of a batch with the monitor. */
  readonly bytes?: Uint8Array;
}

/** What becomes of the only batch of a server. */
async function serve(given: Given) {
  const { before = "healthy", result = HEALTHY, isOnline = true, isStillOnline = true } = given;
  const targets = [{ id: "a", url: "https://a.example/", lastState: before }];
  const work = packWork(targets);
  const body = Buffer.from(given.bytes ?? work.bytes).toString("latin1");
  const said: (readonly [subject: string, body: string])[] = [];
  const streams = fakeStreams();
  const { url } = await startFakeNats({
    ...streams,
    tell: (one) => {
      if (one.subject.startsWith("$JS.API.CONSUMER.MSG.NEXT."))
        return { subject: workSubjectOf(NAME), reply: ACK, body };
      said.push([one.subject, one.body]);
      return streams.tell(one);
    },
  });
  const connection = await connectEngine({ url }, NAME, false);
  const stop = new AbortController();
  const ends: BatchEnd[] = [];
  let checks = 0;
  let pulls = 0;
  await serveBatches({
    connection,
    vantage: "main",
    crew: {
      isHungry: () => (pulls += 1) === 1,
      check: async () => {
        checks += 1;
        if (given.isStopped === true) stop.abort("aborted");
        return new Map([["a", result]]);
      },
      close: async () => undefined,
    },
    online: { recent: async () => isOnline, fresh: async () => isStillOnline },
    sleep: () => turn(),
    onEnd: (end) => {
      ends.push(end);
      stop.abort("aborted");
    },
    onWarning: (warning) => expect.fail(warning),
    signal: stop.signal,
  });
  await connection.flush();
  await connection.close();
  const answer = said.find(([subject]) => subject === resultSubjectOf(NAME))?.[1];
  const bytes = Buffer.from(answer?.slice(answer.indexOf("\r\n\r\n") + 4) ?? "", "latin1");
  return {
    ends,
    checks,
    told: said.map(([subject]) => subject).filter((one) => OWN.has(one)),
    acknowledged: said.find(([subject]) => subject === ACK)?.[1],
    results: answer === undefined ? undefined : unpackResults(bytes, ["a"], work.digest)?.results,
  };
}

test.each<[string, Given, number, string]>([
  ["before whose checks the connection is lost", { isOnline: false }, 0, "offline"],
  [
    "with new failures on a lost connection",
    { result: FAILING, isStillOnline: false },
    1,
    "offline",
  ],
  ["during whose checks the worker is stopped", { isStopped: true }, 1, "stopped"],
])("a batch %s goes back", async (_, given, checks, reason) => {
  expect(await serve(given)).toEqual({
    told: [ACK],
    acknowledged: '-NAK {"delay":10000000000}',
    results: undefined,
    checks,
    ends: [{ kind: "returned", reason }],
  });
});

test.each<[string, Given, number]>([
  ["success", {}, 0],
  ["success on a connection that is gone since", { isStillOnline: false }, 0],
  ["failure that lasts", { result: FAILING, before: "failing", isStillOnline: false }, 1],
  ["new failure on a good connection", { result: FAILING }, 1],
])("a %s is answered, and then acknowledged", async (_, given, failing) => {
  expect(await serve(given)).toEqual({
    told: [resultSubjectOf(NAME), ACK],
    acknowledged: "+ACK",
    results: [["a", given.result ?? HEALTHY]],
    checks: 1,
    ends: [{ kind: "answered", targets: 1, failing }],
  });
});

test("a batch that is broken is never delivered again", async () => {
  expect(await serve({ bytes: Buffer.from("?") })).toEqual({
    told: [ACK],
    acknowledged: "+TERM not a batch of this vantage",
    results: undefined,
    checks: 0,
    ends: [{ kind: "refused" }],
  });
});
