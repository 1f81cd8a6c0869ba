import {
  type AskMark,
  ASKS_KEPT,
  type CitedEvidence,
  type Said,
  type HeardResult,
  type HeardVantage,
  type Vantage,
  type VantageEvidence,
  type VantagesState,
} from "../../model/service/vantage.ts";
import { HOUR_MS } from "../../model/time.ts";
import { readResult, tally } from "./endpoint-views.ts";

/** A verified answer. */
export interface VantageAnswer extends Pick<CitedEvidence, "signed" | "urls"> {
  readonly evidence: VantageEvidence;
}

/** What a run knows of the endpoints that its vantages were asked about. */
export interface RunnerView {
  /** Whether a slot of this endpoint counts towards calibration: it answered the runner in its last run, or its owner may refuse the runner. */
  readonly counts: (url: string) => boolean;
  /** Statuses of the endpoints that are healthy in this run, by URL. */
  readonly statuses: ReadonlyMap<string, number>;
  /** Whether the catalogue has this endpoint. */
  readonly isListed: (url: string) => boolean;
}

/** What a run learned of its vantages. */
export interface VantageNews {
  readonly vantages: readonly Vantage[];
  /** At most one for each vantage: its newest. */
  readonly answers: readonly VantageAnswer[];
  /** The ask of this run, if it was written. */
  readonly ask?: AskMark | undefined;
}

/**
 * The vantages with the answers of a run. Each answer counts once towards calibration, in the endpoints that answer the runner. Vantages
 * that left the configuration are forgotten, and so are answers to asks that are no longer believed.
 */
export function foldVantages(
  before: VantagesState,
  { vantages, answers, ask }: VantageNews,
  { counts, statuses, isListed }: RunnerView,
  atMs: number,
): VantagesState {
  // Under another key it is another vantage: the old one may have been stolen.
  const isKnown = (id: string): boolean => {
    const key = keyOf(vantages, id);
    return key !== undefined && key === keyOf(before.vantages, id);
  };
  const heard = new Map([...before.heard].filter(([id]) => isKnown(id)));
  const tallies = new Map([...before.tallies].filter(([id]) => isKnown(id)));
  const others = before.asks.filter(({ id }) => id !== ask?.id);
  const asks = ask === undefined ? before.asks : [...others, ask].slice(-ASKS_KEPT);
  // Without vantages nothing is compared with it.
  const known = vantages.length === 0 ? before.usual : [...before.usual, ...statuses];
  const usual = new Map([...known].filter(([url]) => isListed(url)));
  for (const answer of answers) {
    const { vantage, askId } = answer.evidence;
    if (heard.get(vantage)?.askId === askId) continue;
    const failing = asks.find(({ id }) => id === askId)?.failing;
    heard.set(vantage, toHeard(answer, new Set(failing?.keys()), atMs));
    if (answer.evidence.connectivity !== "fine" || answer.evidence.isWhiteList === true) continue;
    const daysOf = tallies.get(vantage);
    const slotOf = (url: string, result: HeardResult): Said =>
      counts(url) ? readResult(result, usual.get(url)) : "nothing";
    // Endpoints that left the ask are forgotten.
    const tallied = answer.urls.map((url, index) => {
      const days = daysOf?.get(url) ?? [];
      const result = answer.evidence.results[index];
      return [url, result === undefined ? days : tally(days, slotOf(url, result), atMs)] as const;
    });
    tallies.set(vantage, new Map(tallied));
  }
  const cited = new Map([...before.cited].filter(([id]) => isKnown(id)));
  return { vantages, asks, heard, tallies, cited, usual };
}

function keyOf(vantages: readonly Vantage[], id: string): string | undefined {
  return vantages.find((one) => one.id === id)?.publicKey;
}

function toHeard(
  { evidence, urls }: VantageAnswer,
  failing: ReadonlySet<string>,
  heardAtMs: number,
): HeardVantage {
  const { askId, connectivity, isWhiteList, results } = evidence;
  const byUrl = urls.flatMap((url, index): readonly [string, HeardResult][] => {
    const result = results[index];
    if (result === undefined) return [];
    const { ms: _, address, ...heard } = result;
    return [[url, address === undefined || !failing.has(url) ? heard : { ...heard, address }]];
  });
  return { askId, heardAtMs, connectivity, isWhiteList, results: new Map(byUrl) };
}

/** How long an unchanged answer stays the published one. */
const CITED_MS = HOUR_MS;

/**
 * With the answers of a run as the published ones, if they changed a scope; others become the published ones once an hour, so that a
 * quiet run writes nothing.
 */
export function citeAnswers(
  state: VantagesState,
  answers: readonly VantageAnswer[],
  isScopeChanged: boolean,
  atMs: number,
): VantagesState {
  const cited = new Map(state.cited);
  for (const { evidence, signed, urls } of answers) {
    const known = cited.get(evidence.vantage);
    if (known?.askId === evidence.askId) continue;
    if (known !== undefined && !isScopeChanged && atMs - known.atMs < CITED_MS) continue;
    cited.set(evidence.vantage, { askId: evidence.askId, atMs, urls, signed });
  }
  return { ...state, cited };
}
