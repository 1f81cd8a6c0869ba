import { expect, test } from "vitest";
import type { OwnedMonitor, OwnerEdit } from "../../../src/model/monitor/owned-monitor.ts";
import { DAY_MS } from "../../../src/model/time.ts";
import { foldEdits, type Owners } from "../../../src/monitors/ownership/fold-edits.ts";
import { pendingMonitor, provedMonitor, tokenOf } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";

function ownersOf(records: readonly OwnedMonitor[], blockedHosts: readonly string[] = []): Owners {
  const byId = new Map(records.map((owned) => [owned.monitor.id, owned]));
  return { records: byId, recordOf: (id) => byId.get(id), blockedHosts };
}

test("edits of one monitor apply in their order, those of others do not touch it", () => {
  const edits: readonly OwnerEdit[] = [
    { kind: "proof-seen", id: "a", token: tokenOf("t"), method: "file", atMs: T0 },
    { kind: "change", id: "b", settings: { isPublic: true }, atMs: T0 },
    { kind: "change", id: "a", settings: { isPublic: true }, atMs: T0 },
    { kind: "change", id: "a", settings: { isPublic: false, name: "x" }, atMs: T0 },
    { kind: "remove", id: "missing", atMs: T0 },
  ];
  const { changes } = foldEdits(ownersOf([pendingMonitor("a"), provedMonitor("c")]), edits, T0);
  expect([...changes.keys()]).toEqual(["a"]);
  expect(changes.get("a")).toMatchObject({ revision: 4, monitor: { isPublic: false, name: "x" } });
});

test("what has expired is erased without an edit", () => {
  const owners = ownersOf([pendingMonitor("a"), provedMonitor("b")]);
  expect(foldEdits(owners, [], T0 + DAY_MS).changes).toEqual(new Map([["a", null]]));
});

test("the networks of expired challenges are forgotten", () => {
  const { challenges } = pendingMonitor("a");
  const owners = ownersOf([{ ...provedMonitor("a"), challenges }]);
  expect(foldEdits(owners, [], T0 + DAY_MS - 1).changes.size).toBe(0);
  expect(foldEdits(owners, [], T0 + DAY_MS).changes.get("a")).toEqual(provedMonitor("a"));
});

test("a blocked host refuses its monitors, also one that registers in the same fold", () => {
  const { monitor, keyHash } = pendingMonitor("new", "https://evil.example/x");
  const edits: readonly OwnerEdit[] = [
    { kind: "register", monitor, keyHash, token: tokenOf("t"), network: "n", atMs: T0 },
    { kind: "block", host: "evil.example", atMs: T0 },
  ];
  const owners = ownersOf([
    provedMonitor("old", "https://evil.example/"),
    provedMonitor("other", "https://not-evil.example/"),
  ]);
  const { changes, blockedHosts } = foldEdits(owners, edits, T0);
  expect(blockedHosts).toEqual(["evil.example"]);
  expect([...changes].map(([id, owned]) => [id, owned?.refusal, owned?.revision])).toEqual([
    ["new", { kind: "blocked", atMs: T0 }, 2],
    ["old", { kind: "blocked", atMs: T0 }, 3],
  ]);
});

test("a blocked host refuses what registers, or moves there, after the block", () => {
  const { monitor, keyHash } = pendingMonitor("new", "https://evil.example/x");
  const goal = { kind: "url", url: "https://evil.example/" } as const;
  const move = { token: tokenOf("m"), goal, sinceMs: T0, network: "n" };
  const owners = ownersOf([{ ...provedMonitor("moved"), challenges: [move] }], ["evil.example"]);
  const edits: readonly OwnerEdit[] = [
    { kind: "register", monitor, keyHash, token: tokenOf("t"), network: "n", atMs: T0 },
    { kind: "proof-seen", id: "moved", token: tokenOf("m"), method: "file", atMs: T0 + 1 },
  ];
  const { changes } = foldEdits(owners, edits, T0 + 2);
  expect([...changes].map(([id, owned]) => [id, owned?.monitor.url, owned?.refusal])).toEqual([
    ["new", "https://evil.example/x", { kind: "blocked", atMs: T0 }],
    ["moved", "https://evil.example/", { kind: "blocked", atMs: T0 + 1 }],
  ]);
});

test("a block replaces a denial, and a second block changes nothing", () => {
  const block = { kind: "block", host: "evil.example", atMs: T0 + 1 } as const;
  const denied: OwnedMonitor = {
    ...provedMonitor("a", "https://evil.example/"),
    refusal: { kind: "denied", atMs: T0 },
  };
  const { changes } = foldEdits(ownersOf([denied]), [block, { ...block, atMs: T0 + 2 }], T0);
  expect(changes).toEqual(
    new Map([["a", { ...denied, refusal: { kind: "blocked", atMs: T0 + 1 }, revision: 3 }]]),
  );
  const refused: OwnedMonitor = { ...denied, refusal: { kind: "blocked", atMs: T0 } };
  expect(foldEdits(ownersOf([refused], ["evil.example"]), [block], T0)).toEqual({
    changes: new Map(),
    blockedHosts: ["evil.example"],
  });
});

test("blocked hosts are sorted, each once", () => {
  const block = (host: string): OwnerEdit => ({ kind: "block", host, atMs: T0 });
  const edits = ["c.ru", "a.ru", "b.ru", "a.ru"].map(block);
  expect(foldEdits(ownersOf([], ["b.ru"]), edits, T0).blockedHosts).toEqual([
    "a.ru",
    "b.ru",
    "c.ru",
  ]);
});

test("a monitor that is erased and registered in one fold is that of the registration", () => {
  const { monitor, keyHash } = pendingMonitor("a", "https://new.example/");
  const edits: readonly OwnerEdit[] = [
    { kind: "erase", id: "a", atMs: T0 },
    { kind: "register", monitor, keyHash, token: tokenOf("t"), network: "n", atMs: T0 },
  ];
  expect(foldEdits(ownersOf([provedMonitor("a")]), edits, T0).changes).toEqual(
    new Map([["a", pendingMonitor("a", "https://new.example/")]]),
  );
});

test("an unblocked host has its monitors back, but not those that a domain denies", () => {
  const refused = (id: string, kind: "blocked" | "denied"): OwnedMonitor => ({
    ...provedMonitor(id, "https://evil.example/"),
    refusal: { kind, atMs: T0 },
  });
  const owners = ownersOf([refused("a", "blocked"), refused("b", "denied")], ["evil.example"]);
  const { changes, blockedHosts } = foldEdits(
    owners,
    [{ kind: "unblock", host: "evil.example", atMs: T0 }],
    T0,
  );
  expect(blockedHosts).toEqual([]);
  expect([...changes.keys()]).toEqual(["a"]);
  expect(changes.get("a")).toEqual({ ...provedMonitor("a", "https://evil.example/"), revision: 3 });
});
