import fc from "fast-check";
import { expect, test } from "vitest";
import {
  blockOfSender,
  chooseDisplaced,
  senderOf,
} from "../../../src/monitors/ownership/sender.ts";

const waitingOf = (...senders: readonly string[]) =>
  senders.map((sender, sinceMs) => ({ sender, sinceMs }));

test("a sender has its block; one of an older version is a block of its own", () => {
  expect(blockOfSender(senderOf({ network: "net", block: "blk" }))).toBe("blk");
  expect(blockOfSender("net")).toBe("net");
});

test.each([
  ["nobody", [], undefined],
  ["the oldest", ["a.1", "b.2", "c.3"], 0],
  ["one of the network that has most", ["a.1", "b.2", "b.2", "c.3"], 1],
  ["one of the block that has most", ["a.1", "b.2", "c.2", "d.3"], 1],
  ["in the block, one of the network that has most", ["b.2", "a.1", "a.1", "c.2", "c.2"], 3],
])("displaced is %s", (_, senders, at) => {
  expect(chooseDisplaced(waitingOf(...senders))?.sinceMs).toBe(at);
});

test("of blocks and networks of one size, the oldest gives its place", () => {
  const waiting = [
    { sender: "a.1", sinceMs: 3 },
    { sender: "b.2", sinceMs: 2 },
    { sender: "c.1", sinceMs: 4 },
    { sender: "d.2", sinceMs: 1 },
    { sender: "e.3", sinceMs: 0 },
  ];
  expect(chooseDisplaced(waiting)).toBe(waiting[3]);
  expect(chooseDisplaced(waiting.toReversed())).toBe(waiting[3]);
});

test("who has fewer waiting than any other block is never displaced", () => {
  const stranger = fc.record({ network: fc.nat(50), block: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(stranger, { minLength: 12, maxLength: 200 }), fc.nat(200), (many, at) => {
      const strangers = many.map(({ network, block }) => `n${network}.b${block}`);
      const senders = strangers.toSpliced(at, 0, "owner.home");
      const largest = Math.max(
        ...senders.map(
          (one) => senders.filter((other) => blockOfSender(other) === blockOfSender(one)).length,
        ),
      );
      expect(largest).toBeGreaterThan(1);
      expect(chooseDisplaced(waitingOf(...senders))?.sender).not.toBe("owner.home");
    }),
  );
});
