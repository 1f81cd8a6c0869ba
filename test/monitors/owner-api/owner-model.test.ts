import fc from "fast-check";
import { expect, test } from "vitest";
import type { OwnedMonitor } from "../../../src/model/monitor/owned-monitor.ts";
import { DAY_MS, HOUR_MS } from "../../../src/model/time.ts";
import { applyEdit } from "../../../src/monitors/ownership/apply-edit.ts";
import { isChecked, phaseOf } from "../../../src/monitors/ownership/owner-phase.ts";
import type { Challenge } from "../../http-server/answer-body.ts";
import { createOwnerHarness, type OwnerHarness } from "./owner-harness.ts";

/*
 * One monitor, and everybody who may want it: its owner, one who buys the site, and a thief with a site of his own. Whatever they do in
 * whatever order, three things hold.
 */

const PEOPLE = ["owner", "buyer", "thief"] as const;
type Person = (typeof PEOPLE)[number];

const SITE = "shop.example.ru";
const THEIRS = "thief.example";

const STEPS = ["ask-key", "publish", "verify", "steal", "move", "remove", "restore"] as const;
type Step =
  | { readonly kind: (typeof STEPS)[number]; readonly who: Person }
  | { readonly kind: "sell" | "clear" }
  | { readonly kind: "wait"; readonly hours: number };

interface World {
  readonly harness: OwnerHarness;
  readonly id: string;
  readonly keys: Map<Person, string>;
  /** The newest token that each was given, by host. */
  readonly tokens: Map<string, Challenge>;
  /** Who can publish at the site. */
  controller: Person;
  networks: number;
}

async function openWorld(): Promise<World> {
  const harness = createOwnerHarness();
  const { id, token, challenge } = await harness.prove(`https://${SITE}/`, { public: true });
  const tokens = new Map<string, Challenge>([[`owner ${SITE}`, challenge]]);
  const keys = new Map<Person, string>([["owner", token]]);
  return { harness, id, keys, tokens, controller: "owner", networks: 0 };
}

/** As everybody who folds the edits has it. */
function recordOf({ harness }: World): OwnedMonitor | undefined {
  return harness.edits.reduce<OwnedMonitor | undefined>(applyEdit, undefined);
}

/** Who can publish where the monitor is. */
function controllerOf(world: World, { monitor }: OwnedMonitor): Person {
  return new URL(monitor.url).hostname === SITE ? world.controller : "thief";
}

async function wait({ harness }: World, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    harness.clock.nowMs += HOUR_MS;
    harness.intake.tick();
    await harness.intake.close();
  }
}

function publish(world: World, who: Person): void {
  for (const host of [SITE, THEIRS]) {
    const isHis = host === SITE ? world.controller === who : who === "thief";
    const challenge = world.tokens.get(`${who} ${host}`);
    if (isHis && challenge !== undefined) world.harness.putFile(challenge);
  }
}

async function askKey(world: World, who: Person): Promise<string | undefined> {
  world.networks += 1;
  const from = `198.${world.networks % 200}.7.1`;
  const { status, body } = await world.harness.ask("POST", `/monitors/${world.id}/token`, { from });
  if (status !== 201) return undefined;
  world.tokens.set(`${who} ${new URL(body.challenge.file.url).hostname}`, body.challenge);
  world.keys.set(who, body.token);
  return body.token;
}

async function act(world: World, step: Step): Promise<void> {
  const { harness, id, keys } = world;
  if (step.kind === "wait") return wait(world, step.hours);
  if (step.kind === "sell") world.controller = "buyer";
  if (step.kind === "sell" || step.kind === "clear")
    for (const place of harness.published.keys())
      if (place.includes(SITE)) harness.published.delete(place);
  if (!("who" in step)) return;
  const { who } = step;
  const key = keys.get(who);
  const ask = (method: string, path: string, body?: unknown) =>
    harness.ask(method, `/monitors/${id}${path}`, { key, body });
  switch (step.kind) {
    case "ask-key":
      await askKey(world, who);
      return;
    case "publish":
      return publish(world, who);
    case "steal": {
      const loot = keys.get("owner");
      if (loot !== undefined) keys.set(who, loot);
      return;
    }
    case "verify":
      await ask("POST", "/verify");
      return;
    case "move": {
      const { status, body } = await ask("PATCH", "", { url: `https://${THEIRS}/` });
      const challenge = body?.challenges?.find((one: { for: string }) => one.for === "url");
      if (status === 200 && challenge !== undefined)
        world.tokens.set(`${who} ${THEIRS}`, challenge);
      return;
    }
    case "remove":
      await ask("DELETE", "");
      return;
    case "restore":
      await ask("POST", "/restore");
  }
}

const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constantFrom(...STEPS), who: fc.constantFrom(...PEOPLE) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("sell" as const, "clear" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      hours: fc.integer({ min: 1, max: 60 }),
    }),
  },
);

/** What must hold after a story, of a record that has not expired. */
const INVARIANTS: Readonly<Record<string, (world: World, owned: OwnedMonitor) => Promise<void>>> = {
  "who can publish at the site has the record within one look": async (world, owned) => {
    if (phaseOf(owned, world.harness.clock.nowMs) === "refused") return;
    const who = controllerOf(world, owned);
    const key = await askKey(world, who);
    expect(key).toBeDefined();
    publish(world, who);
    await world.harness.ask("POST", `/monitors/${world.id}/verify`, { key });
    const { body } = await world.harness.ask("GET", `/monitors/${world.id}`, { key });
    expect(body).toMatchObject({ status: "proved", url: owned.monitor.url, challenges: [] });
  },
  "a denial ends the checks within a day": async (world, owned) => {
    const { harness } = world;
    harness.denied.add(new URL(owned.monitor.url).hostname);
    await wait(world, 25);
    const after = recordOf(world);
    expect(after !== undefined && isChecked(after, harness.clock.nowMs)).toBe(false);
  },
  "who has lost the site has lost the page 30 days later": async (world, owned) => {
    const { harness } = world;
    const { hostname } = new URL(owned.monitor.url);
    for (const place of harness.published.keys())
      if (place.includes(hostname)) harness.published.delete(place);
    // A move that is open is met or over after a day.
    await wait(world, 25);
    const moved = recordOf(world);
    if (moved?.monitor.url !== owned.monitor.url) return;
    harness.clock.nowMs += 30 * DAY_MS;
    const after = recordOf(world);
    expect(after !== undefined && isChecked(after, harness.clock.nowMs)).toBe(false);
  },
};

/** Stories for each invariant. Five hundred take four minutes and have found nothing more. */
const RUNS = 25;

test.each(Object.entries(INVARIANTS))("%s, whatever happened before", async (_, holds) => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
      const world = await openWorld();
      for (const step of steps) await act(world, step);
      const owned = recordOf(world);
      if (owned === undefined || phaseOf(owned, world.harness.clock.nowMs) === "expired") return;
      await holds(world, owned);
    }),
    { numRuns: RUNS },
  );
});
