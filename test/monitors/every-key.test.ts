import { describe, expect, test } from "vitest";
import { toComponents } from "../../src/contract/components.ts";
import { OWNER_SCHEMAS } from "../../src/contract/owners.ts";
import type { CheckedMonitor, Monitor } from "../../src/model/monitor/monitor.ts";
import { CHECKED_MONITOR, MONITOR } from "../../src/model/monitor/monitor-schema.ts";
import type { OwnedMonitor } from "../../src/model/monitor/owned-monitor.ts";
import { toProbeTarget } from "../../src/monitors/checks/check-target.ts";
import { toRecord } from "../../src/monitors/owner-api/owner-responses.ts";
import { applyEdit, settingsOf } from "../../src/monitors/ownership/apply-edit.ts";
import { addMonitor, writeEntries } from "../../src/monitors/registry/edit.ts";
import { parseMonitors, type RegistryFormat } from "../../src/monitors/registry/parse-registry.ts";
import { readMonitorPatch, readNewMonitor } from "../../src/monitors/registry/read-request.ts";
import type { WrittenMonitor } from "../../src/monitors/registry/registry-schema.ts";
import { OWNER_EDITS, OWNER_SHARD } from "../../src/state/codec/owned-monitor.ts";
import { pendingMonitor, provedMonitor, tokenOf } from "../model/owned-samples.ts";
import { T0 } from "../model/samples.ts";
import { ADDRESS, frameOf } from "../site/site-fixture.ts";
import { packWork, unpackWork } from "../../src/engine/batches.ts";
import { packRecord, unpackRecord } from "../../src/monitors/owner-api/owner-index.ts";
import { renderOwnerManage } from "../../src/site/pages/owners/pages.tsx";

/*
 * What happens to a key that is added to a monitor: it reaches every place. A new key needs a value here; the compiler asks for it.
 */

const RULES = { refusalOfUrl: () => undefined };

/** No key has its default. */
const WRITTEN: Required<WrittenMonitor> = {
  id: "shop",
  url: "https://shop.example.ru/",
  name: "Мой магазин",
  public: true,
  expect: [200, 404],
  timeoutMs: 5_000,
  body: "В корзину",
  label: "сайт",
};

const { public: isPublic, ...others } = WRITTEN;
const FULL: Monitor = { ...others, isPublic };
const BARE = parseOne(JSON.stringify({ id: FULL.id, url: "https://bare.example.ru/" }));

const KEYS = Object.keys(MONITOR.shape) as readonly (keyof typeof MONITOR.shape)[];
/** As it is called where people read and write it. */
const WRITTEN_KEYS = KEYS.map((key) => (key === "isPublic" ? "public" : key));

function parseOne(text: string): Monitor {
  const { monitors, problems } = parseMonitors(text, RULES);
  const [monitor] = monitors;
  if (monitor === undefined) throw new Error(JSON.stringify(problems));
  return monitor;
}

function owned(monitor: Monitor): OwnedMonitor {
  return { ...provedMonitor(monitor.id), monitor };
}

function kept(one: OwnedMonitor): OwnedMonitor | undefined {
  const shard = { sequence: T0, owned: new Map([[one.monitor.id, one]]) };
  const decoded = OWNER_SHARD.decode(OWNER_SHARD.encode(shard));
  return decoded.kind === "ok" ? decoded.value.owned.get(one.monitor.id) : undefined;
}

test("the sample has every key, and none with its default", () => {
  expect(Object.keys(WRITTEN).toSorted()).toEqual(WRITTEN_KEYS.toSorted());
  for (const key of KEYS) if (key !== "id") expect([key, FULL[key]]).not.toEqual([key, BARE[key]]);
});

describe.each<RegistryFormat>(["yaml", "json-lines"])("every key of a registry of %s", (format) => {
  test("is read", () => {
    const text =
      format === "yaml" ? `monitors: [${JSON.stringify(WRITTEN)}]` : JSON.stringify(WRITTEN);
    expect(parseOne(text)).toEqual(FULL);
  });

  test("is written", () => {
    expect(parseOne(writeEntries([FULL], format))).toEqual(FULL);
    const added = addMonitor("", WRITTEN, RULES, format);
    expect(added).toMatchObject({ kind: "edited", monitor: FULL });
    expect(added.kind === "edited" && parseOne(added.text)).toEqual(FULL);
  });
});

describe("every key that an owner may set", () => {
  const { id: _, ...settings } = WRITTEN;
  const whole = { kind: "ok", wanted: FULL };

  test("is taken when the monitor is added, and when it is changed", () => {
    expect(readNewMonitor(JSON.stringify(settings), FULL.id, RULES)).toEqual(whole);
    expect(readMonitorPatch(JSON.stringify(settings), BARE, RULES)).toEqual(whole);
    expect(readMonitorPatch("{}", FULL, RULES)).toEqual(whole);
  });

  test("is changed by an edit, and brought back to its default", () => {
    const change = (before: Monitor, after: Monitor): Monitor | undefined => {
      const all = { ...settingsOf(after), url: after.url };
      const edit = { kind: "change", id: FULL.id, settings: all, atMs: T0 } as const;
      const decoded = OWNER_EDITS.decode(OWNER_EDITS.encode([edit]));
      expect(decoded).toEqual({ kind: "ok", value: [edit] });
      return applyEdit(owned(before), edit)?.monitor;
    };
    expect(change(BARE, FULL)).toEqual(FULL);
    expect(change(FULL, BARE)).toEqual(BARE);
  });

  test.each(Object.keys(settings).filter((key) => key !== "url"))("null resets %s", (key) => {
    const read = readMonitorPatch(JSON.stringify({ [key]: null }), FULL, RULES);
    const { [key]: __, ...rest } = WRITTEN as Readonly<Record<string, unknown>>;
    expect(read).toEqual({ kind: "ok", wanted: parseOne(JSON.stringify(rest)) });
  });

  test("is in the answers", () => {
    expect(toRecord(owned(FULL), T0, undefined, undefined)).toMatchObject(WRITTEN);
  });

  test("is in the description of the operations", () => {
    const { NewMonitor, OwnedMonitor: record } = toComponents(OWNER_SCHEMAS);
    expect(NewMonitor).toMatchObject({ properties: describedBy(Object.keys(settings)) });
    expect(record).toMatchObject({ properties: describedBy(WRITTEN_KEYS) });
  });

  test("has a field on the page", () => {
    const page = renderOwnerManage(frameOf("ru", { ...ADDRESS, isSelfService: true }));
    for (const key of Object.keys(settings)) expect(page).toContain(` name="${key}"`);
  });
});

function describedBy(keys: readonly string[]): object {
  return Object.fromEntries(keys.map((key) => [key, expect.anything()]));
}

describe("every key of a stored monitor", () => {
  test("comes back from a shard", () => {
    expect(kept(owned(FULL))).toEqual(owned(FULL));
    expect(Object.keys(kept(owned(FULL))?.monitor ?? {})).toEqual(KEYS);
  });

  test("comes back from the inbox", () => {
    const register = { kind: "register", atMs: T0, monitor: FULL, token: tokenOf("t") } as const;
    const edit = { ...register, keyHash: "k".repeat(43), network: "n" };
    expect(OWNER_EDITS.decode(OWNER_EDITS.encode([edit]))).toEqual({ kind: "ok", value: [edit] });
  });

  test("comes back from the memory of the intake", () => {
    const waiting = { ...pendingMonitor(FULL.id), monitor: FULL };
    expect(unpackRecord(FULL.id, packRecord(waiting))).toEqual(waiting);
  });
});

describe("every key that a check needs", () => {
  const CHECKED = Object.keys(CHECKED_MONITOR.shape) as readonly (keyof CheckedMonitor)[];
  const target = { ...FULL, lastState: "failing", wasHealthy: true } as const;

  test("is every key but those that are only shown", () => {
    expect([...CHECKED, "isPublic", "label", "name"].toSorted()).toEqual(KEYS.toSorted());
  });

  test("travels to the worker, and nothing else does", () => {
    const [unpacked] = unpackWork(packWork([target]).bytes)?.targets ?? [];
    const { name: _, label: __, isPublic: ___, ...needed } = target;
    expect(unpacked).toEqual(needed);
  });

  test.each(CHECKED.filter((key) => key !== "id"))("%s is used by the probe", (key) => {
    const { [key]: _, ...without } = target;
    const other = { ...without, ...(key in BARE ? { [key]: BARE[key] } : {}) } as typeof target;
    expect(toProbeTarget(target)).not.toEqual(toProbeTarget(other));
  });
});
