import type { Monitor, OwnerSettings } from "../../model/monitor/monitor.ts";
import { defaultNameOf, NO_SETTINGS } from "../../model/monitor/monitor-schema.ts";
import type { Challenge, OwnedMonitor, OwnerEdit } from "../../model/monitor/owned-monitor.ts";
import { MAX_CHANNELS, type OwnerChannel } from "../../model/monitor/owner-channel.ts";
import { CHALLENGE_MS, openChallenges } from "./owner-phase.ts";
import { chooseDisplaced } from "./sender.ts";

export type RecordEdit = Exclude<OwnerEdit, { kind: "block" | "unblock" }>;

export type EditOf<Kind extends RecordEdit["kind"]> = Extract<RecordEdit, { kind: Kind }>;

/** Open requests for a new key of one monitor. */
export const MAX_KEY_REQUESTS = 16;

/** The id of the record that an edit concerns. */
export function idOf(edit: RecordEdit): string {
  return edit.kind === "register" ? edit.monitor.id : edit.id;
}

/**
 * A record after an edit; undefined if there is none, or none any more; the same object if the edit changes nothing. An edit of a
 * record that is gone, or a second registration of an id, has no effect, so that edits may arrive in any order. Pure.
 */
export function applyEdit(
  owned: OwnedMonitor | undefined,
  edit: RecordEdit,
): OwnedMonitor | undefined {
  if (edit.kind === "register") return owned ?? register(edit);
  if (owned === undefined || edit.kind === "erase") return undefined;
  const changed = change(owned, edit);
  return changed === owned ? owned : { ...changed, revision: owned.revision + 1 };
}

function register(edit: EditOf<"register">): OwnedMonitor {
  const { monitor, keyHash, token, network, atMs } = edit;
  const challenge: Challenge = { token, goal: { kind: "first" }, sinceMs: atMs, network };
  return { monitor, revision: 1, keyHash, createdAtMs: atMs, challenges: [challenge] };
}

function change(
  owned: OwnedMonitor,
  edit: Exclude<RecordEdit, { kind: "register" | "erase" }>,
): OwnedMonitor {
  const { atMs } = edit;
  switch (edit.kind) {
    case "change":
      return { ...owned, monitor: changeSettings(owned.monitor, edit.settings) };
    case "challenge": {
      const { token, goal, network } = edit;
      return addChallenge(owned, { token, goal, sinceMs: atMs, network });
    }
    case "proof-seen":
      return seeProof(owned, edit);
    case "proof-missing":
      return owned.proof === undefined || owned.proof.lostAtMs !== undefined
        ? owned
        : { ...owned, proof: { ...owned.proof, lostAtMs: atMs } };
    case "denied":
      return owned.refusal === undefined ? { ...owned, refusal: { kind: "denied", atMs } } : owned;
    case "remove":
      return owned.removedAtMs === undefined ? { ...owned, removedAtMs: atMs } : owned;
    case "restore": {
      const { removedAtMs, ...kept } = owned;
      return removedAtMs === undefined ? owned : kept;
    }
    case "channel-added":
      return addChannel(owned, edit.channel);
    case "channel-removed":
      return withChannels(
        owned,
        channelsOf(owned).filter(({ id }) => id !== edit.channelId),
      );
    case "channel-stopped":
      return stopChannel(owned, edit.channelId, atMs);
  }
}

/** The channels of a record. Without a record the list is empty. */
export function channelsOf(owned: OwnedMonitor | undefined): readonly OwnerChannel[] {
  return owned?.channels ?? [];
}

/** Another one of the same receiver replaces it: a browser that subscribes again has new keys. */
function addChannel(owned: OwnedMonitor, channel: OwnerChannel): OwnedMonitor {
  const known = channelsOf(owned);
  if (known.some(({ id }) => id === channel.id)) return owned;
  const others = known.filter((one) => receiverOf(one) !== receiverOf(channel));
  return others.length < MAX_CHANNELS ? withChannels(owned, [...others, channel]) : owned;
}

/** The URL that a channel sends to. */
function receiverOf(channel: OwnerChannel): string {
  return channel.kind === "webhook" ? channel.url : channel.endpoint;
}

function stopChannel(owned: OwnedMonitor, channelId: string, atMs: number): OwnedMonitor {
  const channels = channelsOf(owned).map((one) => {
    const isStopped = one.id === channelId && one.stoppedAtMs === undefined;
    return isStopped ? { ...one, stoppedAtMs: atMs } : one;
  });
  return withChannels(owned, channels);
}

/** The same record if the channels are the same objects. */
function withChannels(owned: OwnedMonitor, channels: readonly OwnerChannel[]): OwnedMonitor {
  const known = channelsOf(owned);
  if (channels.length === known.length && channels.every((one, at) => one === known[at]))
    return owned;
  const { channels: _, ...others } = owned;
  return channels.length === 0 ? others : { ...others, channels };
}

/** Null removes a setting, which then has its default. */
function changeSettings(monitor: Monitor, settings: OwnerSettings): Monitor {
  const { id, name, isPublic, url, ...others } = { ...monitor, ...settings };
  const given = Object.entries(others).filter(([, value]) => value !== null);
  return { id, url, name: name ?? defaultNameOf(url), isPublic, ...Object.fromEntries(given) };
}

/** All settings of a monitor but its address; null: the default. */
export function settingsOf(monitor: Monitor): OwnerSettings {
  const { id: _, url: __, ownedSinceMs: ___, ...given } = monitor;
  return { ...NO_SETTINGS, ...given };
}

/** A move replaces an earlier one. Anybody may ask for a key, so beyond the limit one of those who have most is displaced. */
function addChallenge(owned: OwnedMonitor, challenge: Challenge): OwnedMonitor {
  const open = openChallenges(owned, challenge.sinceMs);
  if (challenge.goal.kind === "url") {
    const others = open.filter(({ goal }) => goal.kind !== "url");
    return { ...owned, challenges: [...others, challenge] };
  }
  const keys = open.filter(({ goal }) => goal.kind === "key");
  const displaced =
    keys.length < MAX_KEY_REQUESTS
      ? undefined
      : chooseDisplaced(keys.map((one) => ({ ...one, sender: one.network })));
  const others = open.filter(({ token }) => token !== displaced?.token);
  return { ...owned, challenges: [...others, challenge] };
}

function seeProof(
  owned: OwnedMonitor,
  { token, method, atMs }: EditOf<"proof-seen">,
): OwnedMonitor {
  const { proof } = owned;
  if (proof?.token === token) {
    const { lostAtMs: _, ...kept } = proof;
    return { ...owned, proof: { ...kept, method, seenAtMs: atMs } };
  }
  // Found in time, even if the edit was written a little later.
  const met = owned.challenges.find(
    (one) => one.token === token && atMs < one.sinceMs + 2 * CHALLENGE_MS,
  );
  if (met === undefined) return owned;
  const fresh = { token, method, provedAtMs: atMs, seenAtMs: atMs };
  const rest = owned.challenges.filter(({ goal }) => goal.kind !== met.goal.kind);
  const proved = { ...owned, proof: fresh, challenges: rest };
  switch (met.goal.kind) {
    case "first":
      return proved;
    case "url":
      return { ...proved, monitor: { ...owned.monitor, url: met.goal.url } };
    case "key": {
      // What the holder of the old key has begun goes with it: a move, channels, a removal.
      const { channels: _, removedAtMs: __, ...kept } = proved;
      return { ...kept, keyHash: met.goal.keyHash, challenges: [] };
    }
  }
}
