import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeShard, encodeShard } from "../../../src/state/codec/monitor-shard.ts";
import { OWNER_EDITS, OWNER_SHARD } from "../../../src/state/codec/owned-monitor.ts";
import { decodeState, encodeState } from "../../../src/state/codec/state.ts";
import { decodeInbox, encodeInbox } from "../../../src/state/inbox.ts";
import { VISITOR_SHARD } from "../../../src/state/visitor-shards.ts";
import { STATE } from "./sample-state.ts";

/** Each kind of object in the state store, and one of it. */
const KINDS: Readonly<Record<string, readonly [(bytes: Uint8Array) => object, Uint8Array]>> = {
  state: [decodeState, encodeState(STATE)],
  uptimes: [decodeShard, encodeShard({ sequence: 0, records: new Map() })],
  owners: [OWNER_SHARD.decode, OWNER_SHARD.encode({ sequence: 0, owned: new Map() })],
  edits: [OWNER_EDITS.decode, OWNER_EDITS.encode([])],
  reports: [decodeInbox, encodeInbox([])],
  visitors: [VISITOR_SHARD.decode, VISITOR_SHARD.encode(new Map())],
};

/** What can have happened to an object. */
const FAULTS: Readonly<Record<string, (good: object) => Uint8Array>> = {
  empty: () => new Uint8Array(),
  text: () => Buffer.from("hello"),
  "cut short": () => Buffer.from([0x1f, 0x8b, 8]),
  "of another program": () => toBytes({ format: "other", version: 1 }),
  "of a newer layout": (good) => toBytes({ ...good, version: 2 }),
  "with a new key": (good) => toBytes({ ...good, news: true }),
  "without its content": (good) => toBytes(Object.fromEntries(Object.entries(good).slice(0, 2))),
};

function toBytes(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

test("each kind of object says what is wrong with it", async () => {
  const lines = Object.entries(KINDS).flatMap(([name, [decode, bytes]]) => {
    const plain = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
    const good: object = JSON.parse(Buffer.from(plain).toString());
    expect(decode(toBytes(good))).toMatchObject({ kind: "ok" });
    return Object.entries(FAULTS).map(
      ([fault, breakIt]) => `${name}, ${fault}: ${JSON.stringify(decode(breakIt(good)))}`,
    );
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/refusals.txt");
});
