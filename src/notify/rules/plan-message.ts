import { hashText } from "../../model/fnv1a.ts";
import { groupBy } from "../../model/lists.ts";
import { HOUR_MS } from "../../model/time.ts";
import { type ChannelLedger, QUIET_MS, type Told, YOUNG_MS } from "./channel-ledger.ts";
import { type Change, type ConditionChange, isWell, type Message, type Notice } from "./change.ts";

/** More notices at once are one message. Source: docs/notify.md, "Noise". */
const MAX_SINGLE = 5;
/** So are notices about more than this share of the subjects. */
const LARGE_SHARE = 0.3;

/** So many changes without a rest are told before it comes. */
const RESTLESS = 4;

/** Changes of several subjects that are older come from a notifier that was away: they are one message. */
const LATE_MS = HOUR_MS;

export interface PlanContext {
  readonly nowMs: number;
  /** Time of the last run that counted: a change that it did not undo has lasted. */
  readonly lastRunMs: number;
  readonly subjects: number;
  /**
   * A second document says how a subject is now. A change that it does not confirm yet waits. `gone`: the subject does not exist any more.
   * Absent: the outbox is all that is known.
   */
  readonly stateNow?: ((subject: string) => string) | undefined;
  readonly mayEdit?: boolean | undefined;
}

/** The next message of a channel, if one is due, and changes that need none. */
export interface Plan {
  /** Numbers of changes that were undone before anybody was told. */
  readonly skippedSeqs: ReadonlySet<number>;
  readonly message?: Message;
  readonly toldSeqs: ReadonlySet<number>;
}

interface Ready {
  readonly notice: Notice;
  readonly changes: readonly ConditionChange[];
  readonly edits?: string;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Decides what a channel is told next. A change waits until it has lasted for a run; one that is undone before is not told. About one subject
 * there is at most one notice in 15 minutes, then with a count. Pure. Source: docs/notify.md, "Noise".
 */
export function planMessage(ledger: ChannelLedger, context: PlanContext): Plan {
  const added = ledger.waiting.find(({ kind }) => kind === "added");
  if (added !== undefined) return planAdded(added);
  const skippedSeqs = new Set<number>();
  const ready: Ready[] = [];
  const waiting = ledger.waiting.filter((change) => change.kind === "changed");
  for (const [subject, changes] of groupBy(waiting, (change) => change.subject)) {
    const one = judge(subject, changes, ledger, context);
    if (one === "undone") for (const { seq } of changes) skippedSeqs.add(seq);
    else if (one !== "waits") ready.push(one);
  }
  // A message that is changed makes no sound, so it is never part of another.
  const first = ready.find(({ edits }) => edits !== undefined) ?? ready[0];
  if (first === undefined) return { skippedSeqs, toldSeqs: NONE };
  const isDigest =
    first.edits === undefined && ready.length > 1 && mustJoin(ready, ledger, context);
  return { skippedSeqs, ...join(isDigest ? ready : [first], isDigest) };
}

function planAdded({ subject, seq, atMs }: Change): Plan {
  const message = { id: `${subject}.${seq}`, kind: "added", notices: [], atMs } as const;
  return { skippedSeqs: NONE, message, toldSeqs: new Set([seq]) };
}

/** Many at once have one cause. What a channel has missed while it was down, or the notifier was, is one message too. */
function mustJoin(
  ready: readonly Ready[],
  { tries }: ChannelLedger,
  { subjects, nowMs }: PlanContext,
): boolean {
  const isLate = ready.some(({ notice }) => nowMs - notice.atMs > LATE_MS);
  const { length } = ready;
  return tries > 0 || isLate || length > MAX_SINGLE || length > LARGE_SHARE * subjects;
}

function join(chosen: readonly Ready[], isDigest: boolean): Omit<Required<Plan>, "skippedSeqs"> {
  const changes = chosen.flatMap((one) => one.changes);
  const last = changes.reduce((a, b) => (b.seq > a.seq ? b : a));
  const [first] = chosen;
  const single = (first?.notice.changes ?? 1) > 1 ? "flapping" : "changed";
  return {
    message: {
      id: isDigest ? idOfDigest(changes, last) : idOf(last),
      kind: isDigest ? "digest" : single,
      notices: chosen.map(({ notice }) => notice),
      atMs: last.atMs,
      ...(first?.edits === undefined ? {} : { edits: first.edits }),
    },
    toldSeqs: new Set(changes.map(({ seq }) => seq)),
  };
}

function idOf({ id, subject, seq }: ConditionChange): string {
  return id ?? `${subject}.${seq}`;
}

/** Of all changes in it, so that no receiver takes a digest with the same newest change for a repetition. */
function idOfDigest(changes: readonly ConditionChange[], last: ConditionChange): string {
  return `digest.${last.seq}.${hashText(changes.map(idOf).toSorted().join())}`;
}

function judge(
  subject: string,
  changes: readonly ConditionChange[],
  { told, offered, sent }: ChannelLedger,
  context: PlanContext,
): Ready | "waits" | "undone" {
  const { nowMs } = context;
  const [first] = changes;
  const last = changes.at(-1);
  if (first === undefined || last === undefined || context.stateNow?.(subject) === "gone")
    return "undone";
  const known: Told = told.get(subject) ?? {
    state: first.before,
    sinceMs: first.sinceMs,
    toldAtMs: Number.NEGATIVE_INFINITY,
  };
  const young = context.mayEdit === true ? sent.get(subject) : undefined;
  const isYoung = young !== undefined && nowMs - young.atMs < YOUNG_MS;
  const isFix = isWell(last.after) && !isWell(known.state) && changes.length === 1;
  const edits = isFix && isYoung ? young.ref : undefined;
  const isQuiet = nowMs - known.toldAtMs < QUIET_MS && edits === undefined;
  if (isQuiet || !isTellable(last, changes, context)) return "waits";
  const sawQuiet = first.atMs - known.toldAtMs < QUIET_MS;
  const isFlapping = changes.length >= RESTLESS - 1 || (changes.length > 1 && sawQuiet);
  // The channel may have heard of another state, which is over.
  const isKnown = (offered.get(subject) ?? last.after) === last.after;
  const isSame = last.after === known.state && isKnown;
  if (isSame && !isFlapping) return "undone";
  const notice = {
    subject,
    // Of the changes alone: the same message has the same content.
    before: last.after === known.state ? first.after : known.state,
    after: last.after,
    sinceMs: known.sinceMs,
    atMs: last.atMs,
    ...(last.code === undefined ? {} : { code: last.code }),
    ...(last.beganMs === undefined ? {} : { beganMs: last.beganMs }),
    changes: isFlapping ? changes.length : 1,
  };
  return { notice, changes, ...(edits === undefined ? {} : { edits }) };
}

/** Whether a change has lasted, need not, or belongs to a subject that never comes to rest. */
function isTellable(
  last: ConditionChange,
  { length }: readonly ConditionChange[],
  { lastRunMs, stateNow }: PlanContext,
): boolean {
  const isOlderThanRun = last.atMs < lastRunMs;
  const isConfirmed = stateNow === undefined || stateNow(last.subject) === last.after;
  // The second document may be older than an urgent change; if it is newer, it knows better.
  if (last.isUrgent === true && !isOlderThanRun) return true;
  return (isOlderThanRun && isConfirmed) || length >= RESTLESS;
}
