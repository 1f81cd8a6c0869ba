import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sha256Of } from "../../../src/http-server/json-api.ts";
import type { OwnedMonitor } from "../../../src/model/monitor/owned-monitor.ts";
import { MAX_CHANNELS } from "../../../src/model/monitor/owner-channel.ts";
import type { OwnerIntakeSettings } from "../../../src/monitors/owner-api/create-owner-intake.ts";
import { provedMonitor } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";
import { createOwnerHarness, NOTHING } from "./owner-harness.ts";

const KEY = "k".repeat(43);
const OWNED: OwnedMonitor = { ...provedMonitor("shop"), keyHash: sha256Of(KEY) };
const PATH = "/monitors/shop";
const T0_SECONDS = T0 / 1_000;

/** An intake that a generation has given these records, folded from the edits of others. */
function startWith(
  records: readonly OwnedMonitor[],
  changes: Partial<OwnerIntakeSettings> = {},
): ReturnType<typeof createOwnerHarness> {
  const harness = createOwnerHarness(changes);
  const named = records.map((owned) => [owned.monitor.id, owned] as const);
  harness.intake.update({ ...NOTHING, records: named }, true);
  return harness;
}

/** The same, with a generation that comes while an edit is being written. */
function startWithNews(
  news: Partial<typeof NOTHING>,
  changes: Partial<OwnerIntakeSettings> = {},
): ReturnType<typeof createOwnerHarness> {
  const harness = startWith([OWNED], {
    writeEdits: async () => harness.intake.update({ ...NOTHING, ...news }, true),
    ...changes,
  });
  return harness;
}

describe("before its first records an intake", () => {
  const REGISTRATION = { body: { url: "https://shop.example.ru/" } };

  test("lets a request wait for them", async () => {
    const { ask, intake } = createOwnerHarness({}, false);
    const asking = ask("POST", "/monitors", REGISTRATION);
    intake.update(NOTHING, true);
    expect((await asking).status).toBe(201);
  });

  test("tells a request that has waited for five seconds to come back", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, edits } = createOwnerHarness({}, false);
    const asking = ask("POST", "/monitors", REGISTRATION);
    await vi.advanceTimersByTimeAsync(5_000);
    const { status, body, headers } = await asking;
    expect([status, body.code, headers.get("Retry-After")]).toEqual([503, "unavailable", "5"]);
    expect(edits).toEqual([]);
  });
});

describe("a monitor that a generation erases meanwhile", () => {
  test("is not known to the request that changes it", async () => {
    const { ask } = startWithNews({});
    const { status, body } = await ask("PATCH", PATH, { key: KEY, body: { name: "new" } });
    expect([status, body.code]).toEqual([404, (await ask("GET", PATH, { key: KEY })).body.code]);
  });

  test("is removed as of now", async () => {
    const { ask } = startWithNews({});
    const { status, body } = await ask("DELETE", PATH, { key: KEY });
    expect([status, body.restorableUntil]).toEqual([202, T0_SECONDS + 86_400]);
  });

  test("is told the end of the look that ran", async () => {
    const harness = startWith([OWNED], {
      look: async () => {
        harness.intake.update(NOTHING, true);
        return { atMs: T0, isDenied: false, places: new Map() };
      },
    });
    const { status, body } = await harness.ask("POST", `${PATH}/verify`, { key: KEY });
    const look = { at: T0_SECONDS, denied: false, places: [] };
    expect([status, body]).toEqual([202, { id: "shop", status: "proved", look }]);
    expect(harness.edits).toEqual([]);
  });
});

test("a channel is refused if others have taken the last place while it was written", async () => {
  const channels = Array.from({ length: MAX_CHANNELS }, (_, at) => ({
    kind: "webhook" as const,
    id: `${at}`.repeat(22),
    addedAtMs: T0,
    url: `https://hooks.example.ru/${at}`,
    secret: `whsec_${"A".repeat(32)}`,
  }));
  const { ask } = startWithNews(
    { records: [["shop", { ...OWNED, channels }]] },
    { alerts: { pushKey: "key", isPlainAllowed: false } },
  );
  const body = { webhook: "https://hooks.example.ru/mine" };
  const answer = await ask("POST", `${PATH}/channels`, { key: KEY, body });
  expect([answer.status, answer.body.code]).toEqual([409, "limit-channels"]);
});

test("a channel that was stopped says since when", async () => {
  const channel = {
    kind: "push",
    id: "d".repeat(22),
    addedAtMs: T0,
    stoppedAtMs: T0 + 5_000,
    endpoint: "https://push.example.com/send/1",
    p256dh: "B".repeat(87),
    auth: "C".repeat(22),
    language: "ru",
  } as const;
  const { ask } = startWith([{ ...OWNED, channels: [channel] }]);
  const { body } = await ask("GET", PATH, { key: KEY });
  expect(body.channels).toMatchObject([{ addedAt: T0_SECONDS, stoppedAt: T0_SECONDS + 5 }]);
});

test("a look that fails tells its visitor to come back", async () => {
  const { ask } = startWith([OWNED], { look: () => Promise.reject(new Error("no name server")) });
  const { status, body, headers } = await ask("POST", `${PATH}/verify`, { key: KEY });
  expect([status, body.code, headers.get("Retry-After")]).toEqual([503, "unavailable", "5"]);
});

describe("a generation", () => {
  test("without an edit that was accepted does not undo it, nor give it to another", async () => {
    const { ask, intake } = startWith([OWNED, { ...OWNED, monitor: blogOf() }]);
    const rename = (id: string, name: string) =>
      ask("PATCH", `/monitors/${id}`, { key: KEY, body: { name } });
    await rename("shop", "Shop");
    await rename("blog", "Blog");
    intake.update({ ...NOTHING, isAll: false, records: [["shop", OWNED]] }, true);
    for (const [id, name] of [
      ["shop", "Shop"],
      ["blog", "Blog"],
    ] as const)
      expect((await ask("GET", `/monitors/${id}`, { key: KEY })).body).toMatchObject({ name });
  });

  test("that has erased a record ends it", async () => {
    const { ask, intake } = startWith([OWNED]);
    intake.update({ ...NOTHING, isAll: false, records: [["shop", null]] }, true);
    expect((await ask("GET", PATH, { key: KEY })).status).toBe(404);
  });
});

function blogOf(): OwnedMonitor["monitor"] {
  return { ...OWNED.monitor, id: "blog", url: "https://blog.example/" };
}

test("a move to a blocked host is refused, and nothing is written", async () => {
  const { ask, intake, edits } = startWith([OWNED]);
  intake.update({ ...NOTHING, isAll: false, blockedHosts: ["new.example"] }, true);
  const move = (url: string) => ask("PATCH", PATH, { key: KEY, body: { url } });
  expect((await move("https://new.example/")).body.code).toBe("blocked-host");
  expect(edits).toEqual([]);
  expect((await move("https://free.example/")).status).toBe(200);
});

describe("a new key", () => {
  const askFor = (id: string, harness: ReturnType<typeof createOwnerHarness>) =>
    harness.ask("POST", `/monitors/${id}/token`);

  test("is not given for what is not there", async () => {
    const { status, body } = await askFor("none", startWith([OWNED]));
    expect([status, body.code]).toEqual([404, "unknown"]);
  });

  test("is not given for a monitor that its domain refuses", async () => {
    const refusal = { kind: "denied", atMs: T0 } as const;
    const harness = startWith([{ ...OWNED, refusal }]);
    expect((await askFor("shop", harness)).body.code).toBe("refused");
    expect(harness.edits).toEqual([]);
  });

  test("is given to one network ten times in a day", async () => {
    const harness = startWith([OWNED]);
    for (let times = 0; times < 10; times += 1)
      expect((await askFor("shop", harness)).status).toBe(201);
    const { status, body, headers } = await askFor("shop", harness);
    expect([status, body.code, headers.get("Retry-After")]).toEqual([429, "limit-network", "3600"]);
  });
});
