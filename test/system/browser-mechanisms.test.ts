import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BY_CLIENT, CASES, DIFFERING, THROTTLED } from "../cli/situations.ts";
import type { PlaceName, Situation } from "../cli/world.ts";
import { type HelloBox, startHelloBox } from "../simulated-internet/hello-box.ts";
import {
  type SimulatedInternet,
  startSimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { openBrowser, trustRoot } from "./browser.ts";

/* What Chromium gets of each situation for which a verdict is published: `test/cli/blocked-or-down.test.ts` has the verdicts. */

/** A page whose body never ends well is never loaded, and a dropped browser waits much longer. */
const WITHIN_MS = 9_000;
const AT_ONCE = 10;

let home: string;
let internet: SimulatedInternet;
const boxes: HelloBox[] = [];
beforeAll(async () => {
  internet = await startSimulatedInternet();
  home = mkdtempSync(join(tmpdir(), "status-snapshot-mechanisms-"));
  trustRoot(home, readFileSync(internet.rootCaFile, "utf8"));
});
afterAll(async () => {
  await Promise.all([internet.close(), ...boxes.map((box) => box.close())]);
  rmSync(home, { recursive: true, force: true });
});

function hostOf({ name }: Situation): string {
  return `${name}.test`;
}

/** Where a browser in this place finds the host, as `--host-resolver-rules` has it. */
async function ruleFor(situation: Situation, place: PlaceName): Promise<string> {
  const host = hostOf(situation);
  const behaviour = situation.at[place] ?? { kind: "page" };
  internet.set(host, behaviour);
  const { filter, filteredAt = ["moscow"], isFilteredByName } = situation;
  if (filter !== undefined && filteredAt.includes(place)) {
    const box = await startHelloBox(internet.tlsPort);
    boxes.push(box);
    box.set({ ...filter, ...(isFilteredByName === true ? { name: host } : {}) });
    return `MAP ${host} 127.0.0.1:${box.port}`;
  }
  const [line] = internet.connectToLines([host]);
  // A name with a rule of its own in DNS leads nowhere.
  return line === undefined
    ? `MAP ${host} ~NOTFOUND`
    : `MAP ${host} 127.0.0.1:${line.split(":").at(-1) ?? ""}`;
}

/** The situations that Chromium opens in a place, by name. */
async function openedAt(
  place: PlaceName,
  situations: readonly Situation[],
): Promise<ReadonlySet<string>> {
  const rules = await Promise.all(situations.map((one) => ruleFor(one, place)));
  const browser = await openBrowser({
    args: [`--host-resolver-rules=${rules.join(",")}`],
    env: { ...process.env, HOME: home },
  });
  const opened = new Set<string>();
  const queue = [...situations];
  const open = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const page = await browser.newPage();
      try {
        const answer = await page.goto(`https://${hostOf(one)}/`, { timeout: WITHIN_MS });
        if (answer?.ok() === true) opened.add(one.name);
      } catch {
        // Nothing, or not all of it.
      }
      await page.close();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, open));
  await browser.close();
  return opened;
}

const PUBLISHED = [...DIFFERING, ...BY_CLIENT, ...THROTTLED];

test("nothing is green where Chromium gets nothing, and nothing red where it opens", async () => {
  const situations = [...CASES, ...PUBLISHED.map(([situation]) => situation)];
  const inCentre = await openedAt("moscow", situations);
  const atHome = await openedAt("mts", situations);
  const rows = situations.map(({ name }) => {
    const found = PUBLISHED.find(([one]) => one.name === name)?.[1];
    const isBlocked = CASES.find((one) => one.name === name)?.isBlocked;
    const code = found?.code ?? (isBlocked === true ? "restricted_fail" : "not ok");
    return { name, code, centre: inCentre.has(name), home: atHome.has(name) };
  });
  for (const { name, code, centre, home: isHome } of rows)
    console.log(
      `${name} | ${centre ? "page" : "nothing"} | ${isHome ? "page" : "nothing"} | ${code}`,
    );
  // One line that differs from all others moves nothing, and neither does the data centre alone.
  const isAlone = (name: string): boolean =>
    ["cut-on-one-line", "cut-in-data-centre"].includes(name);
  const wrong = rows.filter(
    ({ name, code, centre, home: isHome }) =>
      !isAlone(name) && (code === "ok") !== (centre && isHome),
  );
  expect(wrong).toEqual([]);
});
