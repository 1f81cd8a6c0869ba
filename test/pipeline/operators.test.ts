import { describe, expect, test } from "vitest";
import { HISTORY_SCHEMAS } from "../../src/contract/history.ts";
import { OPERATOR_SCHEMAS } from "../../src/contract/operators.ts";
import { type Operator, OPERATORS } from "../../src/contract/codes/operator.ts";
import type { Report } from "../../src/model/service/reports.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { refresh } from "../../src/pipeline/publish/refresh.ts";
import { explainReports } from "../../src/reports/counting/explain-surge.ts";
import { toInboxObject } from "../../src/state/inbox.ts";
import { encodeState } from "../../src/state/codec/state.ts";
import { NO_VERDICTS } from "../../src/model/service/verdict-change.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { loadState, STATE_KEY } from "../../src/state/state-file.ts";
import { freshStores } from "../publish/writers.ts";
import { CATALOGUE, NOW_MS, post } from "./publish-harness.ts";
import { setupOver } from "./empty-setup.ts";

/* Real reports in the inbox, over hours; a surge that one operator makes. */

const LEARNING_HOURS = 30;

function reportsOf(operator: Operator, count: number, atMs: number): readonly Report[] {
  const number = OPERATORS.indexOf(operator);
  return Array.from({ length: count }, (_, place) => {
    const network = `${operator.slice(0, 4)}${place}`;
    return { slug: "alpha", atMs: atMs + place, network, block: network, operator: number };
  });
}

async function read(store: ObjectStore, key: string): Promise<unknown> {
  return JSON.parse(Buffer.from((await store.read(key))?.body ?? []).toString());
}

/** Some reports of three operators in each hour, and then a surge of these. */
async function playSurge(surge: Partial<Record<Operator, number>>) {
  const stores = freshStores();
  // The first verdict of a service does not count as a change.
  const codes = new Map([["alpha", "ok" as const]]);
  const body = encodeState({ ...EMPTY_STATE, verdicts: { ...NO_VERDICTS, codes } });
  await stores.stateStore.write(STATE_KEY, toInboxObject(body));
  const setup = setupOver(stores, CATALOGUE, async () => undefined);
  const publish = async (nowMs: number, reports: readonly Report[]): Promise<void> => {
    if (reports.length > 0) await post(stores.stateStore, `${nowMs}-x`, reports);
    await refresh(setup, nowMs);
  };
  for (let hour = LEARNING_HOURS; hour > 0; hour -= 1) {
    const atMs = NOW_MS - hour * HOUR_MS;
    const usual = (["mts", "t2", "other"] as const).flatMap((one) => reportsOf(one, 3, atMs));
    await publish(atMs + MINUTE_MS, usual);
    await publish(atMs + 50 * MINUTE_MS, []);
  }
  const reports = Object.entries(surge).flatMap(([operator, count]) =>
    reportsOf(operator as Operator, count, NOW_MS + MINUTE_MS),
  );
  await publish(NOW_MS + 3 * MINUTE_MS, reports);
  const nowMs = NOW_MS + 5 * MINUTE_MS;
  await publish(nowMs, []);
  const { state } = await loadState(stores.stateStore);
  const changes = await read(stores.publicStore, "changes/v1.json");
  const operators = await read(stores.publicStore, "operators/v1.json");
  return {
    change: HISTORY_SCHEMAS.Changes.parse(changes).changes.at(-1),
    ofAlpha: OPERATOR_SCHEMAS.OperatorReports.parse(operators).services[0],
    explained: explainReports(state.reports.ledger, "alpha", nowMs).operators,
  };
}

describe("a surge", () => {
  test("that one operator makes is told as that operator's", async () => {
    const { change, ofAlpha, explained } = await playSurge({ mts: 40, t2: 1 });
    const unusual = { shares: [{ operator: "mts", share: 98, usual: 32 }], alone: true };
    expect(change).toMatchObject({ slug: "alpha", code: "spike", operators: unusual });
    expect(ofAlpha).toMatchObject({
      slug: "alpha",
      unusual,
      operators: [
        { operator: "mts", reportsHour: 40, share: 98, usual: 32, usualOf: "service" },
        { operator: "t2", reportsHour: null, unusual: false },
        { operator: "other", reportsHour: null },
      ],
    });
    expect(explained.unusual?.isAlone).toBe(true);
  });

  test("of all operators names none", async () => {
    const { change, ofAlpha } = await playSurge({ mts: 20, t2: 20, other: 20 });
    expect(change).toMatchObject({ slug: "alpha", code: "spike" });
    expect(change).not.toHaveProperty("operators");
    expect(ofAlpha?.unusual).toBeNull();
  });

  test("of unknown networks names none", async () => {
    const { change, ofAlpha } = await playSurge({ other: 60 });
    expect(change).not.toHaveProperty("operators");
    expect(ofAlpha?.operators[0]).toMatchObject({ operator: "other", unusual: false });
  });
});
