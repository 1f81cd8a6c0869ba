import { describe, expect, test } from "vitest";
import type { OwnerChannel } from "../../../src/model/monitor/owner-channel.ts";
import type { OwnedMonitor, OwnerEdit } from "../../../src/model/monitor/owned-monitor.ts";
import { DAY_MS, HOUR_MS } from "../../../src/model/time.ts";
import { applyEdit, type RecordEdit } from "../../../src/monitors/ownership/apply-edit.ts";
import { hashOf, pendingMonitor, provedMonitor, tokenOf } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";

const AT = T0 + HOUR_MS;

function after(owned: OwnedMonitor | undefined, ...edits: readonly RecordEdit[]): OwnedMonitor {
  const result = edits.reduce<OwnedMonitor | undefined>(applyEdit, owned);
  if (result === undefined) throw new Error("the record is gone");
  return result;
}

const seen = (letter: string, atMs = AT): RecordEdit => ({
  kind: "proof-seen",
  id: "a",
  token: tokenOf(letter),
  method: "dns",
  atMs,
});

const challenge = (
  letter: string,
  goal: { kind: "key" } | { kind: "url" },
  network = letter,
): RecordEdit => ({
  kind: "challenge",
  id: "a",
  token: tokenOf(letter),
  goal:
    goal.kind === "key"
      ? { kind: "key", keyHash: hashOf(letter) }
      : { kind: "url", url: `https://${letter}.example.ru/` },
  network,
  atMs: AT,
});

describe("a registration", () => {
  const edit: OwnerEdit & { kind: "register" } = {
    kind: "register",
    monitor: pendingMonitor("a").monitor,
    keyHash: hashOf("k"),
    token: tokenOf("t"),
    network: "n",
    atMs: T0,
  };

  test("begins with one open challenge and no proof", () => {
    expect(applyEdit(undefined, edit)).toEqual(pendingMonitor("a"));
  });

  test("of an id that exists changes nothing", () => {
    const owned = provedMonitor("a");
    expect(applyEdit(owned, { ...edit, keyHash: hashOf("x") })).toBe(owned);
  });
});

describe("a proof", () => {
  test("with the token of the registration begins the monitor", () => {
    const owned = after(pendingMonitor("a"), seen("t"));
    expect(owned).toMatchObject({
      revision: 2,
      challenges: [],
      proof: { token: tokenOf("t"), method: "dns", provedAtMs: AT, seenAtMs: AT },
    });
  });

  test("with a foreign token changes nothing", () => {
    const owned = pendingMonitor("a");
    expect(applyEdit(owned, seen("x"))).toBe(owned);
  });

  test("with a token that was open two days ago changes nothing", () => {
    const owned = pendingMonitor("a");
    expect(applyEdit(owned, seen("t", T0 + 2 * DAY_MS))).toBe(owned);
  });

  test("of the registration counts until two days after it", () => {
    const late = after(pendingMonitor("a"), seen("t", T0 + 2 * DAY_MS - 1));
    expect(late.proof?.provedAtMs).toBe(T0 + 2 * DAY_MS - 1);
  });

  test("that is not there yet cannot be missing", () => {
    const owned = pendingMonitor("a");
    expect(applyEdit(owned, { kind: "proof-missing", id: "a", atMs: AT })).toBe(owned);
  });

  test("that is seen elsewhere has its new place", () => {
    const { proof } = after(provedMonitor("a"), seen("t"));
    expect(proof).toMatchObject({ method: "dns", provedAtMs: T0, seenAtMs: AT });
  });

  test("that is seen again ends its loss and keeps its beginning", () => {
    const lost = after(provedMonitor("a"), { kind: "proof-missing", id: "a", atMs: AT });
    expect(lost.proof?.lostAtMs).toBe(AT);
    const { proof } = after(lost, seen("t", AT + DAY_MS));
    expect(proof).toEqual({
      token: tokenOf("t"),
      method: "dns",
      provedAtMs: T0,
      seenAtMs: AT + DAY_MS,
    });
  });

  test("is missing since the first look that found nothing", () => {
    const lost = after(provedMonitor("a"), { kind: "proof-missing", id: "a", atMs: AT });
    expect(applyEdit(lost, { kind: "proof-missing", id: "a", atMs: AT + DAY_MS })).toBe(lost);
  });

  test("of a new key replaces the old key and ends the requests of others", () => {
    const asked = after(
      provedMonitor("a"),
      challenge("u", { kind: "key" }),
      challenge("v", { kind: "key" }),
    );
    const owned = after(asked, seen("v"));
    expect(owned.keyHash).toBe(hashOf("v"));
    expect(owned.challenges).toEqual([]);
    expect(applyEdit(owned, seen("u"))).toBe(owned);
  });

  test("of a new address moves the monitor and keeps the request for a key", () => {
    const asked = after(
      provedMonitor("a"),
      challenge("u", { kind: "url" }),
      challenge("v", { kind: "key" }),
    );
    expect(asked.monitor.url).toBe("https://shop.example.ru/");
    const owned = after(asked, seen("u"));
    expect(owned.monitor.url).toBe("https://u.example.ru/");
    expect(owned.challenges.map(({ network }) => network)).toEqual(["v"]);
  });
});

test("a new key ends what the holder of the old one began", () => {
  const begun = after(
    { ...provedMonitor("a"), removedAtMs: T0 },
    challenge("u", { kind: "url" }),
    challenge("v", { kind: "key" }),
  );
  const { proof: _, ...others } = provedMonitor("a");
  expect(after(begun, seen("v"))).toEqual({
    ...others,
    revision: 5,
    keyHash: hashOf("v"),
    proof: { token: tokenOf("v"), method: "dns", provedAtMs: AT, seenAtMs: AT },
  });
});

test("a denial counts once, and not over a block", () => {
  const denied = after(provedMonitor("a"), { kind: "denied", id: "a", atMs: AT });
  expect(denied).toEqual({
    ...provedMonitor("a"),
    revision: 3,
    refusal: { kind: "denied", atMs: AT },
  });
  expect(applyEdit(denied, { kind: "denied", id: "a", atMs: AT + 1 })).toBe(denied);
});

test("sixteen requests for a key are open, and the next displaces one of the largest", () => {
  const letters = "bcdefghijklmnopq".split("");
  const asked = (letter: string, network: string) => challenge(letter, { kind: "key" }, network);
  const full = after(
    provedMonitor("a"),
    challenge("z", { kind: "url" }),
    ...letters.map((letter, at) => asked(letter, at === 5 || at === 9 ? "many" : `n${at}`)),
  );
  const tokensOf = ({ challenges }: OwnedMonitor) => challenges.map(({ token }) => token[0]);
  expect(tokensOf(full)).toEqual(["z", ...letters]);
  expect(tokensOf(after(full, asked("x", "new")))).toEqual([
    "z",
    ...letters.filter((letter) => letter !== "g"),
    "x",
  ]);
});

test("requests that are over give their places", () => {
  const old = after(provedMonitor("a"), challenge("u", { kind: "key" }));
  const late = { ...challenge("v", { kind: "key" }), atMs: AT + DAY_MS };
  expect(after(old, late).challenges.map(({ network }) => network)).toEqual(["v"]);
  const before = { ...late, atMs: AT + DAY_MS - 1 };
  expect(after(old, before).challenges.map(({ network }) => network)).toEqual(["u", "v"]);
});

test("a second move replaces the first", () => {
  const owned = after(
    provedMonitor("a"),
    challenge("u", { kind: "url" }),
    challenge("v", { kind: "url" }),
  );
  expect(owned.challenges.map(({ network }) => network)).toEqual(["v"]);
});

describe("a change of settings", () => {
  const change = (settings: object): RecordEdit => ({
    kind: "change",
    id: "a",
    settings,
    atMs: AT,
  });

  test("sets what it names, and keeps the rest", () => {
    const owned = after(provedMonitor("a"), change({ label: "x", isPublic: true, expect: [200] }));
    expect(owned.monitor).toEqual({
      ...provedMonitor("a").monitor,
      label: "x",
      isPublic: true,
      expect: [200],
    });
  });

  test("brings back the default with null", () => {
    const set = change({ name: "Лавка", label: "x", expect: [200], timeoutMs: 2_000, body: "y" });
    const unset = { name: null, label: null, expect: null, timeoutMs: null, body: null };
    expect(after(provedMonitor("a"), set, change(unset)).monitor).toEqual(
      provedMonitor("a").monitor,
    );
  });
});

test("a removal can be taken back, and each counts once", () => {
  const remove = { kind: "remove", id: "a", atMs: AT } as const;
  const removed = after(provedMonitor("a"), remove);
  expect(removed.removedAtMs).toBe(AT);
  expect(applyEdit(removed, { ...remove, atMs: AT + 1 })).toBe(removed);
  const restored = after(removed, { kind: "restore", id: "a", atMs: AT });
  expect(restored).toEqual({ ...provedMonitor("a"), revision: 4 });
  expect(applyEdit(restored, { kind: "restore", id: "a", atMs: AT })).toBe(restored);
});

test("nothing stays of an erased monitor, and no later edit brings it back", () => {
  const edits: readonly RecordEdit[] = [
    { kind: "erase", id: "a", atMs: AT },
    seen("t"),
    { kind: "restore", id: "a", atMs: AT },
    { kind: "change", id: "a", settings: { isPublic: true }, atMs: AT },
  ];
  expect(edits.reduce<OwnedMonitor | undefined>(applyEdit, provedMonitor("a"))).toBeUndefined();
});

describe("a channel", () => {
  const channel = (letter: string, url = `https://${letter}.example.ru/`): OwnerChannel => ({
    kind: "webhook",
    id: tokenOf(letter),
    addedAtMs: AT,
    url,
    secret: "whsec_AAAA",
  });
  const added = (one: OwnerChannel): RecordEdit => ({
    kind: "channel-added",
    id: "a",
    channel: one,
    atMs: AT,
  });
  const named = (kind: "channel-removed" | "channel-stopped", letter: string): RecordEdit => ({
    kind,
    id: "a",
    channelId: tokenOf(letter),
    atMs: AT,
  });

  test("is added once, and replaces one with the same receiver", () => {
    const one = after(provedMonitor("a"), added(channel("b")));
    expect(applyEdit(one, added(channel("b")))).toBe(one);
    const [same, other] = [channel("c", "https://b.example.ru/"), channel("d")];
    expect(after(one, added(other), added(same)).channels).toEqual([other, same]);
  });

  test("beside another one is stopped, or removed, alone", () => {
    const two = after(provedMonitor("a"), added(channel("b")), added(channel("c")));
    expect(after(two, named("channel-stopped", "c"))).toEqual({
      ...provedMonitor("a"),
      revision: 5,
      channels: [channel("b"), { ...channel("c"), stoppedAtMs: AT }],
    });
    expect(after(two, named("channel-removed", "b")).channels).toEqual([channel("c")]);
  });

  test("beyond the fifth changes nothing", () => {
    const full = after(
      provedMonitor("a"),
      ...["b", "c", "d", "e", "f"].map((one) => added(channel(one))),
    );
    expect(applyEdit(full, added(channel("g")))).toBe(full);
  });

  test("that is removed leaves nothing, and cannot be removed twice", () => {
    const one = after(provedMonitor("a"), added(channel("b")));
    const gone = after(one, named("channel-removed", "b"));
    expect("channels" in gone).toBe(false);
    expect(applyEdit(gone, named("channel-removed", "b"))).toBe(gone);
  });

  test("that is stopped stays, with the time of the first stop", () => {
    const one = after(provedMonitor("a"), added(channel("b")), named("channel-stopped", "b"));
    expect(one.channels).toEqual([{ ...channel("b"), stoppedAtMs: AT }]);
    expect(applyEdit(one, { ...named("channel-stopped", "b"), atMs: AT + 1 })).toBe(one);
    expect(applyEdit(one, named("channel-stopped", "c"))).toBe(one);
  });
});
