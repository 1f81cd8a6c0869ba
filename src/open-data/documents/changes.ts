import type { Changes } from "../../contract/history.ts";
import type { PastOutages } from "../../model/service/accuracy.ts";
import { indexOutages } from "../../model/service/outage-ids.ts";
import type { State } from "../../model/state.ts";
import { toUnusual } from "./operators.ts";
import { type Document, toJsonDocument } from "../../model/service/snapshot.ts";
import { toUnixSeconds } from "../../model/time.ts";
import { COLOR_OF } from "../../contract/codes/verdict.ts";
import {
  PUBLIC_CHANGES_MS,
  type VerdictChange,
  type VerdictLog,
} from "../../model/service/verdict-change.ts";

/** Source: docs/open-data.md, "Changes". */
const MAX_PUBLIC = 1_000;

/** The changes of `changes/v1.json` and of the feeds, the oldest first, without a gap in their numbers. */
export function publicChangesOf({ changes }: VerdictLog, nowMs: number): readonly VerdictChange[] {
  const first = changes.findIndex(({ atMs }) => nowMs - atMs < PUBLIC_CHANGES_MS);
  return first === -1 ? [] : changes.slice(first).slice(-MAX_PUBLIC);
}

/** The document of the changes of verdicts, with which a client that polls misses none and takes none twice. */
export function buildChanges(
  { verdicts, accuracy }: Pick<State, "verdicts" | "accuracy">,
  nowMs: number,
): Document {
  const { ofChange } = indexOutages(accuracy);
  const changes = publicChangesOf(verdicts, nowMs).map((change) => {
    return toPublicChange(change, ofChange(change.slug, change.atMs));
  });
  return toJsonDocument("changes/v1.json", { next: verdicts.next, changes } satisfies Changes);
}

type PublicChange = Changes["changes"][number];

/** What is undefined is not in the document. */
function toPublicChange(change: VerdictChange, outage: string | undefined): PublicChange {
  const { seq, slug, atMs, before, code, scope, networks, isSurge, past, operators } = change;
  const at = toUnixSeconds(atMs);
  const id = `${slug}.${at}.${code}`;
  // No change is one to `none`.
  const color = COLOR_OF[code] as PublicChange["color"];
  const claim = { scope, networks, surge: isSurge };
  const told = { past: past && toPast(past), operators: operators && toUnusual(operators), outage };
  return { seq, id, slug, at, before, code, color, ...claim, ...told };
}

/** How long past outages lasted, as in the documents. */
export function toPast({ of, days, count: outages, medianMs, longestMs }: PastOutages) {
  return { of, days, outages, median: toUnixSeconds(medianMs), longest: toUnixSeconds(longestMs) };
}
