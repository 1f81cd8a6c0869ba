import { type ChannelLedger, QUIET_MS, type Told } from "./channel-ledger.ts";
import type { Change, ConditionChange, Message, Notice } from "./change.ts";

/** More notices at once are one message. Source: docs/notify.md, "Noise". */
const MOST_SINGLE = 5;
/** So are notices about more than this share of the subjects. */
const LARGE_SHARE = 0.3;

/** So many changes without a rest are told before it comes. */
const RESTLESS = 4;

export interface PlanContext {
  readonly nowMs: number;
  /** Time of the last run that counted: a change that it did not undo has lasted. */
  readonly lastRunMs: number;
  /** Number of subjects that the channel can hear of. */
  readonly subjects: number;
}

/** The next message of a channel, if one is due, and changes that need none. */
export interface Plan {
  /** Numbers of changes that were undone before anybody was told. */
  readonly skipped: ReadonlySet<number>;
  readonly message?: Message;
  /** Numbers of the changes in the message. */
  readonly told: ReadonlySet<number>;
}

interface Ready {
  readonly notice: Notice;
  readonly changes: readonly ConditionChange[];
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Decides what a channel is told next. A change waits until it has lasted for a run; one that is undone before is not told. About one
 * subject there is at most one notice in 15 minutes, then with a count. Pure. Source: docs/notify.md, "Noise".
 */
export function planMessage(ledger: ChannelLedger, context: PlanContext): Plan {
  const added = ledger.waiting.find(({ kind }) => kind === "added");
  if (added !== undefined) return planAdded(added);
  const skipped = new Set<number>();
  const ready: Ready[] = [];
  for (const [subject, changes] of groupBySubject(ledger.waiting)) {
    const one = judge(subject, changes, ledger, context);
    if (one === "undone") for (const { seq } of changes) skipped.add(seq);
    else if (one !== "waits") ready.push({ notice: one, changes });
  }
  const [first] = ready;
  if (first === undefined) return { skipped, told: NONE };
  const isDigest = ready.length > 1 && mustJoin(ready.length, ledger, context);
  const chosen = isDigest ? ready : [first];
  return { skipped, ...join(chosen, isDigest) };
}

function planAdded({ subject, seq, atMs }: Change): Plan {
  const message = { id: `${subject}.${seq}`, kind: "added", notices: [], atMs } as const;
  return { skipped: NONE, message, told: new Set([seq]) };
}

/** Many at once have one cause, and so has whatever a channel has missed while it was down. */
function mustJoin(ready: number, { tries }: ChannelLedger, { subjects }: PlanContext): boolean {
  return tries > 0 || ready > MOST_SINGLE || ready > LARGE_SHARE * subjects;
}

function join(
  chosen: readonly Ready[],
  isDigest: boolean,
): Required<Pick<Plan, "message" | "told">> {
  const changes = chosen.flatMap((one) => one.changes);
  const last = changes.reduce((a, b) => (b.seq > a.seq ? b : a));
  const [first] = chosen;
  const isFlapping = (first?.notice.changes ?? 1) > 1;
  const single = isFlapping ? "flapping" : "changed";
  return {
    message: {
      id: isDigest ? `digest.${last.seq}` : `${last.subject}.${last.seq}`,
      kind: isDigest ? "digest" : single,
      notices: chosen.map(({ notice }) => notice),
      atMs: last.atMs,
    },
    told: new Set(changes.map(({ seq }) => seq)),
  };
}

function judge(
  subject: string,
  changes: readonly ConditionChange[],
  { told, offered }: ChannelLedger,
  { nowMs, lastRunMs }: PlanContext,
): Notice | "waits" | "undone" {
  const [first] = changes;
  const last = changes.at(-1);
  if (first === undefined || last === undefined) return "undone";
  const known: Told = told.get(subject) ?? {
    state: first.before,
    sinceMs: first.sinceMs,
    toldAtMs: Number.NEGATIVE_INFINITY,
  };
  const isQuiet = nowMs - known.toldAtMs < QUIET_MS;
  const isRestless = changes.length >= RESTLESS;
  const hasLasted = last.atMs < lastRunMs;
  if (isQuiet || !(hasLasted || isRestless)) return "waits";
  const sawQuiet = first.atMs - known.toldAtMs < QUIET_MS;
  const isFlapping = changes.length >= RESTLESS - 1 || (changes.length > 1 && sawQuiet);
  // The channel may have heard of another state, which is over.
  const isKnown = (offered.get(subject) ?? last.after) === last.after;
  const isSame = last.after === known.state && isKnown;
  if (isSame && !isFlapping) return "undone";
  return {
    subject,
    // Of the changes alone: the same message has the same content.
    before: last.after === known.state ? first.after : known.state,
    after: last.after,
    sinceMs: known.sinceMs,
    atMs: last.atMs,
    ...(last.code === undefined ? {} : { code: last.code }),
    changes: isFlapping ? changes.length : 1,
  };
}

function groupBySubject(
  waiting: readonly Change[],
): ReadonlyMap<string, readonly ConditionChange[]> {
  const groups = new Map<string, ConditionChange[]>();
  for (const change of waiting) {
    if (change.kind !== "changed") continue;
    const group = groups.get(change.subject) ?? [];
    group.push(change);
    groups.set(change.subject, group);
  }
  return groups;
}
