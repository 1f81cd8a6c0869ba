import type { EngineCounts } from "../../model/run-event.ts";
import type { ServiceEvidence } from "../../model/service/evidence.ts";
import type { Congestion, LeftOut } from "../../model/service/history.ts";
import type { ServiceSnapshot } from "../../model/service/snapshot.ts";
import type { RequestCounts } from "../../model/store.ts";
import type { FinishedRun } from "../../pipeline/run/publish-measurement.ts";
import type { Color, VerdictCode } from "../../contract/codes/verdict.ts";
import { describeCongestion, describeConnectivity, isOftenCongested } from "./runner-text.ts";
import { renderTable } from "./table.ts";
import { formatMinute, plural, textsOf } from "./text.ts";
import { describeOutcome, VERDICT_WORDS } from "./outcome-text.ts";

export interface RunView extends Pick<
  FinishedRun,
  "snapshot" | "evidence" | "connectivity" | "checks" | "requests"
> {
  /** `valid`: this run measured the endpoints; otherwise the evidence is from an earlier run. */
  readonly kind: FinishedRun["kind"] | "refreshed";
  /** Nothing was published from this state before. */
  readonly isFirst?: boolean;
  /** Services whose failure is held, not published yet. */
  readonly held: readonly string[];
  /** Endpoints that do not count, with the reason. */
  readonly leftOut: readonly { readonly url: string; readonly why: LeftOut }[];
  /** Runs of the last day in which the runner was slow itself. */
  readonly congestion: Congestion;
  /** Absent if no engine was used. */
  readonly engine?: EngineCounts;
  readonly published: Pick<FinishedRun["published"], "written" | "unchanged" | "removed">;
}

const SEVERITY: Readonly<Record<Color, number>> = { bad: 0, warn: 1, none: 2, ok: 3 };

/** A table of the services that are not ok, worst first, and a line of counts. Ends without a line break. */
export function renderRun(view: RunView, durationMs: number): string {
  const notOk = view.snapshot.services
    .filter(({ verdict }) => verdict.code !== "ok")
    .toSorted((a, b) => rank(a) - rank(b));
  const counts = textsOf(
    describePath(view),
    ...renderDoubts(view),
    renderCounts(view, durationMs),
  ).join("\n\n");
  // Without data, the table would repeat one row for every service.
  if (view.snapshot.services.every(({ verdict }) => verdict.code === "none"))
    return `No service has recent data.\n\n${counts}`;
  return notOk.length === 0 ? counts : `${renderServices(notOk, view)}\n\n${counts}`;
}

/** What to do after the first run. In a clone the program is `node dist/cli.js`. */
export const NEXT_STEPS: string =
  "Next: `status-snapshot serve` (in a clone: `node dist/cli.js serve`) shows the website and the API at http://127.0.0.1:8080,\n" +
  "`status-snapshot explain sberbank` (`node dist/cli.js explain sberbank`) explains the verdict of a service.";

const OFFLINE_AT_FIRST =
  "This machine is offline, so nothing was measured: the complete API and the website are published without data, and `npm run demo -- --once` publishes a simulated Internet instead.";

/** Comes before the counts, because they depend on it. The log has the anchors of a runner that is offline. */
function describePath({ kind, isFirst, connectivity }: RunView): string | undefined {
  if (kind === "offline") return isFirst === true ? OFFLINE_AT_FIRST : "The runner is offline.";
  return connectivity && describeConnectivity(connectivity);
}

/** So many endpoints are named; `catalogue audit` lists all. */
const MAX_NAMED = 10;

/** Held failures and endpoints that do not count, for the operator, who can correct the catalogue. */
function renderDoubts({ kind, held, leftOut, congestion }: RunView): readonly string[] {
  const urls = (wanted: LeftOut): string => {
    // A run that reached nothing says nothing about single endpoints.
    const all = kind === "offline" ? [] : leftOut.filter(({ why }) => why === wanted);
    const named = all.slice(0, MAX_NAMED).map(({ url }) => url);
    const more = all.length - named.length;
    return named.join(", ") + (more === 0 ? "" : ` and ${more} more, see catalogue audit`);
  };
  const [unproven, chronic] = [urls("unproven"), urls("chronic")];
  return textsOf(
    held.length > 0 && `Failures held, not published yet: ${held.join(", ")}. See explain.`,
    isOftenCongested(congestion) && describeCongestion(congestion),
    unproven !== "" && `Never healthy, and not counted: ${unproven}.`,
    chronic !== "" && `Failing for nearly seven days, and not counted: ${chronic}.`,
  );
}

function rank({ verdict }: ServiceSnapshot): number {
  return 2 * SEVERITY[verdict.color] + (verdict.live ? 0 : 1);
}

function renderServices(services: readonly ServiceSnapshot[], { evidence }: RunView): string {
  const rows = services.map(({ slug, verdict: { code, live, sinceMs } }) => [
    slug,
    code,
    live ? "live" : "",
    sinceMs === null ? "-" : formatMinute(sinceMs),
    whatIsKnown(code, evidence.get(slug)),
  ]);
  return renderTable(rows, {
    head: ["SERVICE", "VERDICT", "LIVE", "SINCE (UTC)", "WHAT IS KNOWN"],
  });
}

function whatIsKnown(code: VerdictCode, evidence: ServiceEvidence | undefined): string {
  const endpoints = evidence?.endpoints ?? [];
  const failing = endpoints.filter(({ result }) => result.outcome.kind === "failed");
  const [first = endpoints.find(({ result }) => result.outcome.kind === "denied")] = failing;
  // Evidence that is too old for a verdict is not a reason either.
  if (first === undefined || code === "none") return VERDICT_WORDS[code];
  const what = `${new URL(first.url).host}: ${describeOutcome(first.result.outcome)}`;
  return failing.length === 0 || endpoints.length === 1
    ? what
    : `${failing.length} of ${endpoints.length} endpoints fail; ${what}`;
}

function renderCounts(view: RunView, durationMs: number): string {
  const { snapshot, published } = view;
  const colors = snapshot.services.map(({ verdict }) => verdict.color);
  const count = (color: Color): number => colors.filter((one) => one === color).length;
  return textsOf(
    `${plural(colors.length, "service")}: ${count("ok")} ok, ${count("warn")} warn, ${count("bad")} bad, ${count("none")} no data`,
    renderEndpoints(view),
    view.checks && renderKinds("monitor", view.checks),
    `${plural(published.written, "object")} written, ${published.unchanged} unchanged, ${published.removed} removed`,
    `requests: ${renderRequests("public", view.requests.public)}; ${renderRequests("state", view.requests.state)}`,
    `${(durationMs / 1000).toFixed(1)} s`,
  ).join(" | ");
}

/** `find` asks for the tag of an object: HEAD in S3. */
function renderRequests(store: string, counts: RequestCounts): string {
  const kinds = (["read", "find", "write", "remove", "list"] as const).filter(
    (kind) => counts[kind] > 0,
  );
  return `${store} ${kinds.map((kind) => `${counts[kind]} ${kind}`).join(", ") || "none"}`;
}

/** Counts the endpoints that this run probed, without those that `--only` left out. */
function renderEndpoints({ kind, snapshot, evidence }: RunView): string {
  if (kind !== "valid") return "no endpoint measured";
  const outcomes = [...evidence.values()]
    .filter(({ runAtMs }) => runAtMs === snapshot.updatedAtMs)
    .flatMap(({ endpoints }) => endpoints.map(({ result }) => result.outcome.kind));
  const kinds = (wanted: string): number => outcomes.filter((one) => one === wanted).length;
  return renderKinds("endpoint", {
    healthy: kinds("ok"),
    failing: kinds("failed"),
    denied: kinds("denied"),
    skipped: kinds("skipped"),
  });
}

/** The first two kinds always, the others where there are any. */
function renderKinds(noun: string, counts: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(counts);
  const all = kinds.reduce((sum, [, count]) => sum + count, 0);
  const shown = kinds.filter(([, count], index) => index < 2 || count > 0);
  return `${plural(all, noun)}: ${shown.map(([kind, count]) => `${count} ${kind}`).join(", ")}`;
}
