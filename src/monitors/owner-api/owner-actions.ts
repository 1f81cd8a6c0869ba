import { answerUnread, newKey, sha256Of } from "../../http-server/json-api.ts";
import type { RateLimiter } from "../../http-server/rate-limit.ts";
import type { Monitor } from "../../model/monitor/monitor.ts";
import type { OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import type { OwnerProblem } from "../../model/monitor/problems.ts";
import { toUnixSeconds } from "../../model/time.ts";
import { applyEdit, type EditOf, type RecordEdit, settingsOf } from "../ownership/apply-edit.ts";
import { hostOf } from "../ownership/fold-edits.ts";
import { CHALLENGE_MS, isChecked, openChallenges, phaseOf } from "../ownership/owner-phase.ts";
import { readChannelRequest, readMonitorPatch, readNewMonitor } from "../registry/read-request.ts";
import type { MonitorRules } from "../registry/registry-schema.ts";
import { type Access, newToken, toChannel } from "./owner-access.ts";
import type { OwnerBook } from "./owner-book.ts";
import {
  type AlertSettings,
  answerProblem,
  type CheckedCondition,
  type OwnerResponse,
  toCandidate,
  toKey,
  toLook,
  toRecord,
  unavailable,
} from "./owner-responses.ts";
import type { ProofSchedule } from "./proof-schedule.ts";

export interface OwnerActionDependencies {
  readonly book: OwnerBook;
  readonly schedule: ProofSchedule;
  /** Of looks for one monitor. */
  readonly limitLooks: RateLimiter;
  /** Resolves when the edit is durable or refused. */
  readonly persist: (edit: RecordEdit) => Promise<"kept" | "refused">;
  readonly rules: MonitorRules;
  readonly newId: () => string;
  readonly nowMs: () => number;
  /** What the checks of a monitor say, if that is known in time. */
  readonly conditionOf: (id: string) => Promise<CheckedCondition | undefined>;
  /** Absent: no notifier runs. */
  readonly alerts?: AlertSettings;
}

/** What owners can ask for. */
export class OwnerActions {
  readonly #deps: OwnerActionDependencies;

  constructor(deps: OwnerActionDependencies) {
    this.#deps = deps;
  }

  /** `POST /monitors`. */
  async register(text: string, network: string): Promise<OwnerResponse> {
    const { book, newId, nowMs, rules } = this.#deps;
    const read = readNewMonitor(text, newId(), rules);
    if (read.kind !== "ok") return answerUnread(read, answerProblem);
    const monitor = read.wanted;
    const place = book.isBlocked(hostOf(monitor))
      ? ({ refusal: "blocked-host" } as const)
      : book.index.placeFor(monitor.url, network);
    if ("refusal" in place) return answerRefusal(place.refusal);
    const [key, token] = [newKey(), newToken()];
    const proof = { keyHash: sha256Of(key), token, network };
    const edit = { kind: "register", atMs: nowMs(), monitor, ...proof } as const;
    if (!(await this.#takePlace(edit, place.displaced))) return unavailable();
    const owned = book.index.get(monitor.id);
    const [challenge] = owned?.challenges ?? [];
    if (owned === undefined || challenge === undefined) return unavailable();
    return {
      status: 201,
      headers: { Location: `/monitors/${monitor.id}`, ETag: tagOf(owned) },
      body: toKey(owned, key, challenge),
    };
  }

  /** Writes a registration, and the end of the one that it displaces. Both count at once, towards the limits of the next request. */
  async #takePlace(edit: EditOf<"register">, displaced: string | undefined): Promise<boolean> {
    const { book, persist } = this.#deps;
    const takeBack = book.reserve(edit, displaced);
    const [kept] = await Promise.all([
      persist(edit),
      displaced === undefined
        ? undefined
        : persist({ kind: "erase", id: displaced, atMs: edit.atMs }),
    ]);
    if (kept === "refused") takeBack();
    return kept === "kept";
  }

  /** `GET /monitors/<id>`. */
  async readMonitor(access: Access): Promise<OwnerResponse> {
    const { schedule, conditionOf } = this.#deps;
    const { owned } = access;
    const { id } = owned.monitor;
    return access.kind === "candidate"
      ? { status: 200, body: toCandidate(owned, access.challenge, schedule.lastLook(id)) }
      : this.#answerRecord(owned, await conditionOf(id));
  }

  /** 200 with the record. */
  #answerRecord(owned: OwnedMonitor, condition?: CheckedCondition): OwnerResponse {
    const { alerts, nowMs, schedule } = this.#deps;
    const look = schedule.lastLook(owned.monitor.id);
    return {
      status: 200,
      headers: { ETag: tagOf(owned) },
      body: toRecord(owned, nowMs(), look, condition, alerts),
    };
  }

  /** `PATCH /monitors/<id>`, a JSON merge patch. Another host, or page if the proof is on the page, needs a proof of its own. */
  async changeMonitor(
    owned: OwnedMonitor,
    text: string,
    ifMatch: string | undefined,
    network: string,
  ): Promise<OwnerResponse> {
    const { book, nowMs, rules } = this.#deps;
    const problem = problemOf(owned, nowMs());
    if (problem !== undefined) return answerProblem(problem);
    if (!matches(ifMatch, owned)) return answerProblem("changed");
    const read = readMonitorPatch(text, owned.monitor, rules);
    if (read.kind !== "ok") return answerUnread(read, answerProblem);
    const after = read.wanted;
    const edits = planEdits(owned, after, network, nowMs());
    if (edits === "not-proved") return answerProblem(edits);
    if (edits.some(({ kind }) => kind === "challenge")) {
      const isBlocked = book.isBlocked(hostOf(after));
      const refusal = isBlocked ? "blocked-host" : book.index.refusalOfMove(after.url, network);
      if (refusal !== undefined) return answerRefusal(refusal);
    }
    return this.#persistAndAnswer(owned, edits);
  }

  /** The record once edits of it are durable. */
  async #persistAndAnswer(
    owned: OwnedMonitor,
    edits: readonly RecordEdit[],
  ): Promise<OwnerResponse> {
    const { book, persist } = this.#deps;
    for (const edit of edits) if ((await persist(edit)) === "refused") return unavailable();
    const after = book.index.get(owned.monitor.id);
    return after === undefined ? answerProblem("unknown") : this.#answerRecord(after);
  }

  /** `DELETE /monitors/<id>`. */
  async removeMonitor({ monitor: { id } }: OwnedMonitor): Promise<OwnerResponse> {
    const { book, persist, nowMs } = this.#deps;
    if ((await persist({ kind: "remove", id, atMs: nowMs() })) === "refused") return unavailable();
    const removedAtMs = book.index.get(id)?.removedAtMs ?? nowMs();
    return {
      status: 202,
      body: { id, status: "removed", restorableUntil: toUnixSeconds(removedAtMs + CHALLENGE_MS) },
    };
  }

  /** `POST /monitors/<id>/restore`. */
  restoreMonitor(owned: OwnedMonitor): Promise<OwnerResponse> {
    const { id } = owned.monitor;
    return this.#persistAndAnswer(owned, [{ kind: "restore", id, atMs: this.#deps.nowMs() }]);
  }

  /** `POST /monitors/<id>/verify`. */
  async verifyProof({ owned: before, kind }: Access, sender: string): Promise<OwnerResponse> {
    const { book, schedule, nowMs, limitLooks } = this.#deps;
    const { id, isPublic } = before.monitor;
    const retryAfterMs = limitLooks(id, nowMs());
    if (retryAfterMs !== undefined) return answerProblem("flood", { retryAfterMs });
    const problem = problemOf(before, nowMs());
    if (problem !== undefined && (problem !== "removed" || kind === "owner"))
      return answerProblem(problem);
    const look = await schedule.lookNow(id, sender);
    if (look === undefined) return unavailable();
    const owned = book.index.get(id) ?? before;
    const phase = phaseOf(owned, nowMs());
    const waits = openChallenges(owned, nowMs()).some(({ goal }) => goal.kind === "url");
    const hasKey = kind === "owner" || owned.keyHash !== before.keyHash;
    const status = phase === "proved" && (waits || !hasKey) ? "pending" : phase;
    const shown = toLook(look, kind !== "owner" && !isPublic);
    return { status: 202, body: { id, status, look: shown } };
  }

  /** `POST /monitors/<id>/token`: a new key in place of a lost one, valid once control is proved again. */
  async requestKey(id: string, network: string): Promise<OwnerResponse> {
    const { book, persist, nowMs } = this.#deps;
    const owned = book.index.get(id);
    if (owned === undefined) return answerProblem("unknown");
    // Its holder may be a thief, who removes what he cannot keep.
    const problem =
      problemOf(owned, nowMs()) === "refused" ? "refused" : book.index.refusalOfKey(network);
    if (problem !== undefined) return answerRefusal(problem);
    const [key, token, atMs] = [newKey(), newToken(), nowMs()];
    const asked = { token, goal: { kind: "key", keyHash: sha256Of(key) }, network } as const;
    const kept = await persist({ kind: "challenge", id, ...asked, atMs });
    if (kept === "refused") return unavailable();
    return {
      status: 201,
      body: toKey(owned, key, { ...asked, sinceMs: atMs }, !owned.monitor.isPublic),
    };
  }

  /** `POST /monitors/<id>/channels`. Another channel of the same receiver is replaced. */
  async addChannel(owned: OwnedMonitor, text: string): Promise<OwnerResponse> {
    const { book, alerts, nowMs, persist, rules } = this.#deps;
    if (alerts === undefined) return answerProblem("alerts-off");
    if (!isChecked(owned, nowMs())) return answerProblem("not-proved");
    const read = readChannelRequest(text, rules, alerts.isPlainAllowed);
    if (read.kind !== "ok") return answerUnread(read, answerProblem);
    const channel = toChannel(read.wanted, nowMs());
    const { id } = owned.monitor;
    const edit = { kind: "channel-added", id, channel, atMs: nowMs() } as const;
    const isPartOf = (record: OwnedMonitor | undefined): boolean =>
      record?.channels?.some((one) => one.id === channel.id) === true;
    if (!isPartOf(applyEdit(owned, edit))) return answerProblem("limit-channels");
    if ((await persist(edit)) === "refused") return unavailable();
    // Two requests at once may have taken the last place.
    if (!isPartOf(book.index.get(id))) return answerProblem("limit-channels");
    return {
      status: 201,
      headers: { Location: `/monitors/${id}/channels/${channel.id}` },
      body: {
        id: channel.id,
        kind: channel.kind,
        ...(channel.kind === "webhook" ? { secret: channel.secret } : {}),
      },
    };
  }

  /** `DELETE /monitors/<id>/channels/<channel>`: succeeds if there is none. */
  removeChannel(owned: OwnedMonitor, channelId: string): Promise<OwnerResponse> {
    const { id } = owned.monitor;
    const atMs = this.#deps.nowMs();
    return this.#persistAndAnswer(owned, [{ kind: "channel-removed", id, channelId, atMs }]);
  }
}

function answerRefusal(refusal: OwnerProblem): OwnerResponse {
  const isForHours = refusal === "limit-network";
  return answerProblem(refusal, isForHours ? { retryAfterMs: CHALLENGE_MS / 24 } : {});
}

function tagOf({ revision }: OwnedMonitor): string {
  return `"${revision}"`;
}

function matches(ifMatch: string | undefined, owned: OwnedMonitor): boolean {
  if (ifMatch === undefined || ifMatch.trim() === "*") return true;
  return ifMatch.split(",").some((tag) => tag.trim() === tagOf(owned));
}

function problemOf(owned: OwnedMonitor, nowMs: number): OwnerProblem | undefined {
  const phase = phaseOf(owned, nowMs);
  return phase === "removed" || phase === "refused" ? phase : undefined;
}

function planEdits(
  { monitor: before, proof }: OwnedMonitor,
  after: Monitor,
  network: string,
  atMs: number,
): readonly RecordEdit[] | "not-proved" {
  const { id, url } = after;
  // Scheme and port too: control of one port of a host is not control of another.
  const isSameOrigin = new URL(url).origin === new URL(before.url).origin;
  const isSamePlace = proof?.method === "meta" ? url === before.url : isSameOrigin;
  if (!isSamePlace && proof === undefined) return "not-proved";
  const settings = { ...settingsOf(after), ...(isSamePlace ? { url } : {}) };
  const change = { kind: "change", id, settings, atMs } as const;
  if (isSamePlace) return [change];
  const goal = { kind: "url", url } as const;
  return [change, { kind: "challenge", id, token: newToken(), goal, network, atMs }];
}
