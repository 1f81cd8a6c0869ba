import type {
  OwnersNews,
  LookForProof,
  PlaceFinding,
} from "../../../src/model/monitor/owned-monitor.ts";
import type { ProofMethod } from "../../../src/model/monitor/owner-channel.ts";
import type { Challenge } from "../../http-server/answer-body.ts";
import type { RecordEdit } from "../../../src/monitors/ownership/apply-edit.ts";
import { placesOf } from "../../../src/monitors/ownership/challenge-places.ts";
import {
  createOwnerIntake,
  type OwnerIntakeSettings,
} from "../../../src/monitors/owner-api/create-owner-intake.ts";
import { buildUrlGuard } from "../../../src/probe/probe-config.ts";
import {
  type Answer,
  type Asked as AskedOfApp,
  askApp,
  BEHIND_PROXY,
} from "../../http-server/behind-proxy.ts";
import { T0 } from "../../model/samples.ts";

export const NOTHING: OwnersNews = {
  isAll: true,
  records: [],
  folded: new Map(),
  blockedHosts: [],
};

/** What is published on the sites, by place: a URL or a DNS name. */
export type Published = Map<string, string>;

export interface Asked extends Omit<AskedOfApp, "bearer"> {
  readonly key?: string | undefined;
}

/** The owners' part of an intake with a clock, a network and a store of the test. */
export interface OwnerHarness {
  readonly intake: ReturnType<typeof createOwnerIntake>;
  readonly published: Published;
  readonly denied: Set<string>;
  readonly edits: readonly RecordEdit[];
  readonly looks: readonly string[];
  readonly clock: { nowMs: number };
  /** Whether the store refuses. */
  readonly store: { isDown: boolean };
  readonly ask: (method: string, path: string, asked?: Asked) => Promise<Answer>;
  /** Registers a site from a network of its own. */
  readonly register: (url?: string, more?: object) => Promise<Answer["body"]>;
  /** The same, with the proof in its file. */
  readonly prove: (url?: string, more?: object) => Promise<Answer["body"]>;
  /** Puts the token of a challenge where its file belongs. */
  readonly putFile: (challenge: Challenge) => void;
}

/** Of a registration that names none. */
const SHOP = "https://shop.example.ru/";

/** @param isLoaded whether the intake has its first records. */
export function createOwnerHarness(
  changes: Partial<OwnerIntakeSettings> = {},
  isLoaded = true,
): OwnerHarness {
  const published: Published = new Map();
  const denied = new Set<string>();
  const edits: RecordEdit[] = [];
  const looks: string[] = [];
  const clock = { nowMs: T0 };
  const store = { isDown: false };
  let ids = 0;
  let networks = 0;
  const intake = createOwnerIntake({
    ...BEHIND_PROXY,
    rules: {
      refusalOfUrl: buildUrlGuard({ allowPrivate: [], allowedPorts: [], ownAddresses: [] }),
    },
    newId: () => `monitor-${(ids += 1)}`,
    maxEdits: 10,
    writeEdits: async (_, written) => {
      if (store.isDown) throw new Error("the store is down");
      edits.push(...written);
    },
    look: lookIn(published, denied, looks, clock),
    conditionOf: async () => undefined,
    nowMs: () => clock.nowMs,
    onEdit: () => undefined,
    onFailure: () => undefined,
    ...changes,
  });
  if (isLoaded) intake.update(NOTHING, true);

  const ask: OwnerHarness["ask"] = (method, path, { key, ...asked } = {}) =>
    askApp(intake.app, method, path, { ...asked, bearer: key });
  const register: OwnerHarness["register"] = async (url = SHOP, more = {}) => {
    networks += 1;
    const from = `203.0.${networks}.1`;
    const { status, body } = await ask("POST", "/monitors", { body: { url, ...more }, from });
    if (status !== 201) throw new Error(`not registered: ${JSON.stringify(body)}`);
    return body;
  };
  const putFile = (challenge: Challenge): void =>
    void published.set(new URL(challenge.file.url, SHOP).href, challenge.file.content);
  return {
    intake,
    published,
    denied,
    edits,
    looks,
    clock,
    store,
    ask,
    register,
    putFile,
    prove: async (url, more) => {
      const made = await register(url, more);
      putFile(made.challenge);
      const { body } = await ask("POST", `/monitors/${made.id}/verify`, { key: made.token });
      if (body.status !== "proved") throw new Error(`not proved: ${JSON.stringify(body)}`);
      return made;
    },
  };
}

/** Looks among what the test has published. */
function lookIn(
  published: Published,
  denied: ReadonlySet<string>,
  looks: string[],
  clock: { readonly nowMs: number },
): LookForProof {
  return async ({ id, url, tokens }) => {
    looks.push(id);
    const { hostname } = new URL(url);
    const places = new Map<ProofMethod, { place: string; finding: PlaceFinding }>();
    if (denied.has(hostname)) return { atMs: clock.nowMs, isDenied: true, places };
    for (const [method, place] of Object.entries(placesOf(id, url))) {
      const text = published.get(place);
      const finding: PlaceFinding =
        text === undefined
          ? { kind: "absent" }
          : tokens.includes(text)
            ? { kind: "found", token: text }
            : { kind: "other", excerpt: text };
      places.set(method as ProofMethod, { place, finding });
    }
    return { atMs: clock.nowMs, isDenied: false, places };
  };
}
