import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { Catalogue } from "../src/model/service/catalogue.ts";
import type { State } from "../src/model/state.ts";
import { toUtcDay } from "../src/model/time.ts";
import { type HeardResult, NO_VANTAGES, type Vantage } from "../src/model/service/vantage.ts";
import { encodeState } from "../src/state/codec/state.ts";
import { saveState } from "../src/state/state-file.ts";
import { openStore } from "../src/store/open.ts";
import type { Bench } from "./benches.ts";
import { type Cost, measureCommand } from "./command.ts";
import { startInternet, type Internet } from "./internet.ts";
import type { Section } from "./report.ts";
import { imagineSevenDays } from "./seven-days.ts";

const TIMES = 5;
const ANSWER_DELAY_MS = 200;
const MB = 1_000_000;
/** Of the goals for the state. */
const VANTAGES = 3;

/** What vantages cost: a run that has some, its state, a signed answer, and a vantage itself. */
export async function benchVantages({ catalogue, folder }: Bench): Promise<Section> {
  const internet = await startInternet(catalogue, folder, ANSWER_DELAY_MS);
  const place = join(folder, "vantages");
  try {
    const vantages = await makeVantages(folder);
    const before = imagineSevenDays(catalogue, Date.now());
    const after = { ...before, vantages: imagineVantages(catalogue, vantages) };
    await save(join(place, "state"), before);
    const exchange = [
      "--set",
      `vantages=${join(folder, "vantages.yaml")}`,
      "--set",
      `exchange=file:${place}/x`,
    ];
    const run = (more: readonly string[]) => () =>
      measureCommand(["run", ...storesIn(place), ...internet.args, ...more], internet.env);
    for (const more of [[], exchange]) await run(more)();
    const [alone, together]: [Cost[], Cost[]] = [[], []];
    for (let times = 0; times < TIMES; times += 1) {
      alone.push(await run([])());
      together.push(await run(exchange)());
    }
    const answers = [];
    for (let times = 0; times < TIMES; times += 1) {
      await run(exchange)();
      answers.push(await answer(place, folder, internet));
    }
    const growth = (encodeState(after).length - encodeState(before).length) / 1000;
    const wall = (costs: readonly Cost[]): number[] => costs.map(({ wallMs }) => wallMs / 1000);
    return {
      title: `Vantages: ${VANTAGES} of them, ${countEndpoints(catalogue)} endpoints`,
      command: "npm run bench -- vantages",
      figures: [
        { what: "quiet run without vantages, wall", values: wall(alone), unit: "s", digits: 2 },
        { what: "quiet run with vantages, wall", values: wall(together), unit: "s", digits: 2 },
        {
          what: "state, more with a week of them",
          values: [growth],
          unit: "kB",
          digits: 1,
          goal: 20,
        },
        {
          what: "signed answer",
          values: answers.map(({ bytes }) => bytes / 1000),
          unit: "kB",
          digits: 2,
          goal: 5,
        },
        {
          what: "a vantage's answer, peak memory",
          values: answers.map(({ peakBytes }) => peakBytes / MB),
          unit: "MB",
          digits: 0,
          goal: 150,
        },
        {
          what: "a vantage's answer, wall",
          values: answers.map(({ wallMs }) => wallMs / 1000),
          unit: "s",
          digits: 2,
        },
      ],
      notes: ["In the state every address is another random one, which packs worst."],
    };
  } finally {
    await internet.server.close();
  }
}

function countEndpoints({ services }: Catalogue): number {
  return services.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
}

function storesIn(place: string): readonly string[] {
  return ["--store", `file:${join(place, "public")}`, "--state", `file:${join(place, "state")}`];
}

async function save(folder: string, state: State): Promise<void> {
  const opened = await openStore(`file:${folder}`, { role: "private" });
  if (opened.kind === "refused") throw new Error(opened.message);
  await saveState(opened.store, state, undefined);
}

/** Writes `vantages.yaml` and the key of each vantage. */
async function makeVantages(folder: string): Promise<readonly Vantage[]> {
  const made = await Promise.all(
    Array.from({ length: VANTAGES }, async (_, index) => {
      const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
      const jwk: JWK = await exportJWK(privateKey);
      const id = `v${index}`;
      await writeFile(join(folder, `${id}.jwk`), JSON.stringify(jwk));
      const about = { kind: "control", country: "DE", asn: 64_500 + index, network: id } as const;
      return { id, ...about, publicKey: jwk.x ?? "" };
    }),
  );
  await writeFile(join(folder, "vantages.yaml"), JSON.stringify({ vantages: made }));
  return made;
}

/** What a vantage's answer to the last ask costs, and its length. */
async function answer(place: string, folder: string, { args, env }: Internet) {
  const anchors = ["https://ya.ru/", "https://www.google.com/", "https://rutube.ru/"];
  const cost = await measureCommand(
    [
      "vantage",
      "--ask",
      `file:${place}/x`,
      "--id",
      "v0",
      "--key",
      join(folder, "v0.jwk"),
      ...anchors.flatMap((url) => ["--set", `anchor=${url}`]),
      ...args,
    ],
    env,
  );
  const { bytes = 0 }: { readonly bytes?: number } = JSON.parse(
    cost.stderr.split("\n").find((line) => line.includes("ask-answered")) ?? "{}",
  );
  return { ...cost, bytes };
}

/** The most that vantages can add to a state: each with its last answer, its signed one, and a week of tallies. */
function imagineVantages(catalogue: Catalogue, vantages: readonly Vantage[]): State["vantages"] {
  const urls = catalogue.services.flatMap(({ endpoints }) => endpoints.map(({ url }) => url));
  const today = toUtcDay(Date.now());
  const askId = randomUUID();
  const failing = new Map(
    urls.filter((_, index) => index % 50 === 49).map((url) => [url, "192.0.2.1"]),
  );
  const resultOf = (url: string): readonly [string, HeardResult] => [
    url,
    failing.has(url)
      ? { code: "tcp-timeout", address: [1, 2, 3, 4].map(() => randomInt(256)).join(".") }
      : { code: "ok" },
  ];
  const days = Array.from({ length: 7 }, (_, at) => at).map((at) => {
    return { day: today - 6 + at, healthy: 280 + at, failed: at % 2 };
  });
  const each = <T>(make: (id: string) => T): ReadonlyMap<string, T> =>
    new Map(vantages.map(({ id }) => [id, make(id)]));
  return {
    ...NO_VANTAGES,
    vantages,
    asks: [askId, randomUUID()].map((id) => ({ id, atMs: Date.now(), urls: "u", failing })),
    heard: each(() => ({
      askId,
      heardAtMs: Date.now(),
      connectivity: "fine",
      isWhiteList: null,
      results: new Map(urls.map(resultOf)),
    })),
    tallies: each(() => new Map(urls.map((url) => [url, days] as const))),
    cited: each(() => ({
      askId,
      atMs: Date.now(),
      urls,
      signed: {
        payload: randomBytes(2_900).toString("base64url"),
        protected: randomBytes(60).toString("base64url"),
        signature: randomBytes(64).toString("base64url"),
      },
    })),
  };
}
