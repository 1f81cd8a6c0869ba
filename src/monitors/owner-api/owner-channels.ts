import { randomBytes } from "node:crypto";
import type { OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import { MAX_CHANNELS, type OwnerChannel } from "../../model/monitor/owner-channel.ts";
import { channelsOf, receiverOf } from "../ownership/apply-edit.ts";
import { isChecked } from "../ownership/owner-phase.ts";
import { readChannelRequest, type WantedChannel } from "../registry/read-request.ts";
import { newToken } from "./owner-access.ts";
import { type OwnerActionDependencies, persistAndAnswer } from "./owner-actions.ts";
import { answerProblem, answerUnread, type OwnerResponse, unavailable } from "./owner-responses.ts";

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 24;

/** `POST /monitors/<id>/channels`. Another channel of the same receiver is replaced. */
export async function addChannel(
  deps: OwnerActionDependencies,
  owned: OwnedMonitor,
  text: string,
): Promise<OwnerResponse> {
  const { book, alerts, nowMs, persist, rules } = deps;
  if (alerts === undefined) return answerProblem("alerts-off");
  if (!isChecked(owned, nowMs())) return answerProblem("not-proved");
  const read = readChannelRequest(text, rules, alerts.isPlainAllowed);
  if (read.kind !== "ok") return answerUnread(read);
  const channel = complete(read.wanted, nowMs());
  const others = channelsOf(owned).filter((one) => receiverOf(one) !== receiverOf(channel));
  if (others.length >= MAX_CHANNELS) return answerProblem("limit-channels");
  const { id } = owned.monitor;
  const edit = { kind: "channel-added", id, channel, atMs: nowMs() } as const;
  if ((await persist(edit)) === "refused") return unavailable();
  const kept = book.index.get(id);
  // Two requests at once may have taken the last place.
  if (kept === undefined || !channelsOf(kept).some((one) => one.id === channel.id))
    return answerProblem("limit-channels");
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

function complete(wanted: WantedChannel, nowMs: number): OwnerChannel {
  const base = { id: newToken(), addedAtMs: nowMs };
  if (wanted.kind === "push") return { ...base, ...wanted };
  return { ...base, ...wanted, secret: `whsec_${randomBytes(SECRET_BYTES).toString("base64")}` };
}

/** `DELETE /monitors/<id>/channels/<channel>`: succeeds if there is none. */
export function removeChannel(
  deps: OwnerActionDependencies,
  owned: OwnedMonitor,
  channelId: string,
): Promise<OwnerResponse> {
  const { id } = owned.monitor;
  const edit = { kind: "channel-removed", id, channelId, atMs: deps.nowMs() } as const;
  return persistAndAnswer(deps, owned, [edit]);
}
