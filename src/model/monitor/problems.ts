/** Why a request about an owned monitor is refused: status and title of the problem document (RFC 9457). */
export const OWNER_PROBLEMS = {
  malformed: [400, "The body is not one JSON object"],
  "no-address": [400, "The address of the client is not known"],
  "foreign-origin": [403, "Pages of other sites may not ask this"],
  "blocked-host": [403, "The operator has blocked this host"],
  unknown: [404, "There is no such monitor, or the key is wrong"],
  off: [404, "Owners cannot add monitors here"],
  "alerts-off": [404, "Nobody is told of failures here"],
  "wrong-method": [405, "This method is not allowed here"],
  "too-slow": [408, "The body came too slowly"],
  "not-proved": [409, "Prove control of the site first"],
  removed: [409, "The monitor is removed"],
  refused: [409, "The monitor is refused"],
  "limit-host": [409, "There are too many monitors of this host"],
  "limit-domain": [409, "There are too many monitors of this domain"],
  "limit-channels": [409, "There are too many channels"],
  changed: [412, "The monitor has changed since it was read"],
  "too-large": [413, "The body is too large"],
  "unknown-media-type": [415, "Send JSON"],
  invalid: [422, "A setting is not allowed"],
  flood: [429, "Too many requests"],
  "limit-network": [429, "This network has added too many monitors today"],
  unavailable: [503, "The store does not answer; try again soon"],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

export type OwnerProblem = keyof typeof OWNER_PROBLEMS;

/** Why a request about a subscription is refused: status and title of the problem document (RFC 9457). */
export const VISITOR_PROBLEMS = {
  malformed: [400, "The body is not one JSON object"],
  "no-address": [400, "The address of the client is not known"],
  "foreign-origin": [403, "Pages of other sites may not ask this"],
  unknown: [404, "There is no such subscription, or the token is wrong"],
  off: [404, "Nobody is told of changes here"],
  "wrong-method": [405, "This method is not allowed here"],
  "too-slow": [408, "The body came too slowly"],
  "too-large": [413, "The body is too large"],
  "unknown-media-type": [415, "Send JSON"],
  invalid: [422, "A setting is not allowed"],
  flood: [429, "Too many requests"],
  "limit-network": [429, "This network has subscribed too often today"],
  "limit-host": [503, "There are too many subscriptions at this host"],
  "limit-all": [503, "There are too many subscriptions"],
  unavailable: [503, "The store does not answer; try again soon"],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

export type VisitorProblem = keyof typeof VISITOR_PROBLEMS;
