import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EMPTY_HISTORY } from "../../../src/model/service/history.ts";
import { NO_VANTAGES } from "../../../src/model/service/vantage.ts";
import { EMPTY_STATE, type State } from "../../../src/model/state.ts";
import { encodeState } from "../../../src/state/codec/state.ts";
import { PLACE, serviceHistoryOf, T0 } from "../../model/samples.ts";
import { writeSmallCatalogue } from "../../setup/small-catalogue.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { runHere } from "../run-here.ts";

/** The scope of the only service of a catalogue, with a claim or without. */
async function scopeOf(vantages: State["vantages"], isClaimed = false) {
  const folder = makeScratchFolder();
  writeSmallCatalogue(folder);
  const claims = [{ url: "https://www.sberbank.ru/", sinceMs: T0 }];
  const services = new Map([["sberbank", serviceHistoryOf({ claims })]]);
  const history = isClaimed ? { ...EMPTY_HISTORY, services } : EMPTY_HISTORY;
  mkdirSync(join(folder, ".state"));
  const state = encodeState({ ...EMPTY_STATE, history, vantages });
  writeFileSync(join(folder, ".state/state.json.gz"), state);
  const args = ["explain", "sberbank", "--json", "--catalogue", "catalogue.yaml"];
  const { code, stdout, stderr } = await runHere(args, folder);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout).scope;
}

const ASKED = { id: "0d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b11" };

test("a scope has the claims of its service, and the places that are silent", async () => {
  const heard = {
    askId: ASKED.id,
    heardAtMs: T0,
    connectivity: "fine",
    isWhiteList: false,
  } as const;
  const vantages = {
    ...NO_VANTAGES,
    vantages: [PLACE, { ...PLACE, id: "fra" }],
    asks: [{ ...ASKED, atMs: T0, urls: "digest", failing: new Map() }],
    heard: new Map([["fra", { ...heard, results: new Map() }]]),
  };
  expect(await scopeOf(vantages, true)).toMatchObject({
    claims: [{ url: "https://www.sberbank.ru/", sinceMs: T0 }],
    silent: ["ams"],
  });
  expect(await scopeOf(vantages)).toMatchObject({ claims: [], silent: ["ams"] });
});

test("a scope is left out without places", async () => {
  expect(await scopeOf(NO_VANTAGES, true)).toBeUndefined();
});
