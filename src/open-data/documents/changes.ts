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

export const CHANGES_KEY = "changes/v1.json";

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
  return toJsonDocument(CHANGES_KEY, { next: verdicts.next, changes } satisfies Changes);
}

type PublicChange = Changes["changes"][number];

function toPublicChange(change: VerdictChange, outage: string | undefined): PublicChange {
  const {
    seq,
    slug,
    atMs,
    before,
    code,
    scope,
    networks,
    isSurge: surge,
    past,
    operators,
  } = change;
  const at = toUnixSeconds(atMs);
  // No change is one to `none`.
  const color = COLOR_OF[code] as PublicChange["color"];
  const id = `${slug}.${at}.${code}`;
  const claim = networks === undefined ? {} : { networks };
  const told = {
    ...(past !== undefined && { past: toPast(past) }),
    ...(operators !== undefined && { operators: toUnusual(operators) }),
    ...(outage !== undefined && { outage }),
  };
  const about = { scope, ...claim, surge, ...told };
  return { seq, id, slug, at, before, code, color, ...about };
}

/** How long past outages lasted, as in the documents. */
export function toPast({ of, days, count: outages, medianMs, longestMs }: PastOutages) {
  return { of, days, outages, median: toUnixSeconds(medianMs), longest: toUnixSeconds(longestMs) };
}
