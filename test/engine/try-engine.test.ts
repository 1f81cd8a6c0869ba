import { describe, expect, test } from "vitest";
import { connectEngine, EngineError, makeEngineKey } from "../../src/engine/connection.ts";
import { tryEngine, tryWorker } from "../../src/engine/try-engine.ts";
import { openCertificateIssuer } from "../simulated-internet/certificates.ts";
import { readSharedRoot } from "../simulated-internet/public-root.ts";
import { startFakeNats } from "./fake-nats.ts";
import { fakeStreams, type StreamFault } from "./fake-streams.ts";

const DEPS = { now: () => 0, sleep: async () => undefined };

describe("a connection", () => {
  test("names its side, and shows the key that it was given", async () => {
    const { url, connects } = await startFakeNats({ info: { nonce: "abc" } });
    const publisher = await connectEngine({ url }, "publisher", false);
    const { seed, publicKey } = makeEngineKey();
    const address = { url, credentials: `${seed}\n` };
    const worker = await connectEngine(address, { vantage: "spb" }, false);
    expect(publisher.getServer()).toBe(new URL(url).host);
    expect(connects.map(({ name }) => name)).toEqual([
      "status-snapshot publisher",
      "status-snapshot worker spb",
    ]);
    expect(connects.map(({ nkey }) => nkey)).toEqual([undefined, publicKey]);
    await Promise.all([publisher.close(), worker.close()]);
  });

  test("with a file of credentials shows the token that it was given", async () => {
    const { url, connects } = await startFakeNats({ info: { nonce: "abc" } });
    const credentials = [
      "-----BEGIN NATS USER JWT-----\ne30.e30.AA\n------END NATS USER JWT------",
      `-----BEGIN USER NKEY SEED-----\n${makeEngineKey().seed}\n------END USER NKEY SEED------\n`,
    ].join("\n\n");
    const connection = await connectEngine({ url, credentials }, "publisher", false);
    expect(connects).toMatchObject([{ jwt: "e30.e30.AA", sig: expect.any(String) }]);
    await connection.close();
  });

  test("that is refused is an error with its URL", async () => {
    const refused = connectEngine({ url: "nats://127.0.0.1:1" }, "publisher", false);
    await expect(refused).rejects.toThrow(EngineError);
    await expect(refused).rejects.toThrow(/^engine nats:\/\/127\.0\.0\.1:1: /u);
  });
});

describe("a server", () => {
  const STREAMS = { name: "engine streams", result: "fail", detail: "no streams here." };

  test("that is open to everyone over TLS is a warning", async () => {
    const issuer = await openCertificateIssuer(Date.now(), readSharedRoot());
    const secureContext = await issuer.contextFor("127.0.0.1", "public");
    const findingOf = async (info: object) => {
      const { url } = await startFakeNats({ info, secureContext });
      return (await tryEngine({ url }, DEPS))[0];
    };
    expect(await findingOf({})).toEqual({
      name: "engine",
      result: "warn",
      detail:
        'NATS 2.12.1 takes work and answers from everyone: give each side a key (docs/scaling.md, "Keys").',
    });
    const { seed } = makeEngineKey();
    const closed = await startFakeNats({
      info: { auth_required: true, nonce: "a" },
      secureContext,
    });
    const [finding] = await tryEngine({ url: closed.url, credentials: seed }, DEPS);
    expect(finding).toMatchObject({ result: "ok", detail: "NATS 2.12.1 with JetStream" });
  });

  test.each([
    [{ version: "2.11.9" }, "fail", "NATS 2.11.9 is too old: install 2.12 or later."],
    [{ version: "2.12.0" }, "ok", "NATS 2.12.0 with JetStream"],
    [{ version: "v2.20.1" }, "ok", "NATS v2.20.1 with JetStream"],
    [{ version: "3.0.0" }, "ok", "NATS 3.0.0 with JetStream"],
    [{ version: "10.0.0" }, "ok", "NATS 10.0.0 with JetStream"],
    [{ version: "1.9.0" }, "fail", "NATS 1.9.0 is too old"],
    [{ jetstream: false }, "fail", "JetStream is off: start the server with --jetstream."],
    [{ max_payload: 1_048_575 }, "fail", "max_payload is 1048575: set it to 1MB or more."],
    [{ max_payload: 1_048_576 }, "ok", "NATS 2.12.1 with JetStream"],
  ])("that says %j is judged: %s", async (info, result, detail) => {
    const { url } = await startFakeNats({ info });
    expect(await tryEngine({ url }, DEPS)).toEqual([
      { name: "engine", result, detail: expect.stringContaining(detail) },
      STREAMS,
    ]);
  });

  test("that does not answer is a failure", async () => {
    expect(await tryEngine({ url: "nats://127.0.0.1:1" }, DEPS)).toEqual([
      { name: "engine", result: "fail", detail: expect.stringContaining("engine nats://") },
    ]);
  });
});

describe("streams", () => {
  /** A clock that is six seconds later each time. */
  function slowDeps() {
    let nowMs = 0;
    return { ...DEPS, now: () => (nowMs += 6_000) };
  }

  async function tryStreams(fault?: StreamFault) {
    const { url } = await startFakeNats(fakeStreams(fault));
    return tryEngine({ url }, slowDeps());
  }

  const GOOD = {
    engine: "NATS 2.12.1 with JetStream",
    "engine streams":
      "status-snapshot-work and status-snapshot-results are there, and consumers can be made",
    "engine publish": "a batch is kept once, though sent twice",
    "engine pull": "a batch that was given back comes again, and one that was done does not",
    "engine results": "an answer arrives",
    "engine expiry": "work of a slot that is over is gone",
  };
  const found = Object.entries(GOOD).map(([name, detail]) => ({ name, result: "ok", detail }));

  test("that do all that is needed are good", async () => {
    expect(await tryStreams()).toEqual(found);
  });

  test.each<[StreamFault, Partial<typeof GOOD>]>([
    ["keeps-twice", { "engine publish": "a batch that is sent twice is kept twice." }],
    ["forgets-deliveries", { "engine pull": "what was given back is not marked." }],
    ["is-silent", { "engine pull": "nothing arrives.", "engine results": "nothing arrives." }],
    [
      "mixes-up",
      { "engine pull": "something else arrives.", "engine results": "something else arrives." },
    ],
    [
      "keeps-forever",
      { "engine expiry": "work does not expire, so a slot's would be checked in the next." },
    ],
  ])("of which one %s fail there", async (fault, faults) => {
    const failed = Object.entries(faults).map(([name, detail]) => {
      return { name, result: "fail", detail };
    });
    const byName = new Map([...found, ...failed].map((one) => [one.name, one]));
    expect(await tryStreams(fault)).toEqual([...byName.values()]);
  });
});

describe("a worker", () => {
  const NAME = "engineWorkerCredentials";
  /** What JetStream answers when a stream or a consumer is made. */
  const answer = () => ({ config: {}, created: "2026-01-01T00:00:00Z", state: {}, name: "x" });
  const FORBIDDEN = [
    "results.spb-other.",
    "work.spb.",
    "$JS.API.STREAM.MSG.GET.",
    "$JS.API.CONSUMER.MSG.NEXT.status-snapshot-work.worker-spb-other",
    "slot-end.0-1.0",
  ];
  const SILENT = ["results.>", "work.>", "_INBOX.>"];

  /** What is found of a worker that may not publish to the one, nor listen to the other. */
  async function findingOf(forbidden: readonly string[], silent: readonly string[]) {
    const { url } = await startFakeNats({
      answer,
      isDenied: (act, subject) =>
        act === "publish"
          ? forbidden.some((start) => subject.startsWith(start))
          : silent.includes(subject),
    });
    return tryWorker({ url }, { url }, "spb");
  }

  test("that may do its work only is good", async () => {
    expect(await findingOf(FORBIDDEN, SILENT)).toEqual({
      name: NAME,
      result: "ok",
      detail: "workers of spb can do their work only",
    });
  });

  test.each([
    ["see their work", "$JS.API.CONSUMER.INFO.status-snapshot-work.worker-spb"],
    ["send results", "results.spb."],
    ["end a lease", "$JS.ACK.status-snapshot-work.worker-spb"],
  ])("that cannot %s is refused", async (what, subject) => {
    expect(await findingOf([...FORBIDDEN, subject], SILENT)).toMatchObject({
      result: "fail",
      detail: `workers of spb cannot ${what}. See docs/scaling.md, "Keys".`,
    });
  });

  test("that cannot hear the end of a slot is refused", async () => {
    expect(await findingOf(FORBIDDEN, [...SILENT, "slot-end.*.*"])).toMatchObject({
      detail: 'workers of spb cannot hear the end of a slot. See docs/scaling.md, "Keys".',
    });
  });

  test("that may do more is refused, with all of it", async () => {
    expect(await findingOf([], [])).toMatchObject({
      result: "fail",
      detail:
        'workers of spb can also send results of another vantage, send work, read work without a lease, read results, take work of another vantage, say that a slot has ended, listen to results, listen to work, listen to the replies of others. See docs/scaling.md, "Keys".',
    });
  });
});
