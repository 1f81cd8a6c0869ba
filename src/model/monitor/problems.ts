/** Status and title of each problem document (RFC 9457), by its code. */
type Problems = Readonly<Record<string, readonly [status: number, title: string]>>;

/** Why a request is refused, whatever it is about. */
const SHARED_PROBLEMS = {
  malformed: [400, "The body is not one JSON object"],
  "no-address": [400, "The address of the client is not known"],
  "foreign-origin": [403, "Pages of other sites may not ask this"],
  "wrong-method": [405, "This method is not allowed here"],
  "too-slow": [408, "The body came too slowly"],
  "too-large": [413, "The body is too large"],
  "unknown-media-type": [415, "Send JSON"],
  invalid: [422, "A setting is not allowed"],
  flood: [429, "Too many requests"],
  unavailable: [503, "The store does not answer; try again soon"],
} as const satisfies Problems;

/** Why an API with JSON bodies refuses a request. Each words for itself what is unknown. */
export type RequestProblem = keyof typeof SHARED_PROBLEMS | "unknown";

/** A setting that is not allowed: a JSON Pointer (RFC 6901), and what is wrong there. */
export type Fault = Readonly<Record<"pointer" | "message", string>>;

/** What is wrong at a path of a JSON document. */
export function toFault(path: readonly PropertyKey[], message: string): Fault {
  const steps = path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return { pointer: steps.join(""), message };
}

/** What the body of a request says. */
export type BodyReading<Wanted> =
  | { readonly kind: "ok"; readonly wanted: Wanted }
  /** Not one JSON object. */
  | { readonly kind: "malformed"; readonly detail?: string }
  | { readonly kind: "invalid"; readonly errors: readonly Fault[] };

/** Why a request about an owned monitor is refused. */
export const OWNER_PROBLEMS = {
  ...SHARED_PROBLEMS,
  "blocked-host": [403, "The operator has blocked this host"],
  unknown: [404, "There is no such monitor, or the key is wrong"],
  off: [404, "Owners cannot add monitors here"],
  "alerts-off": [404, "Nobody is told of failures here"],
  "not-proved": [409, "Prove control of the site first"],
  removed: [409, "The monitor is removed"],
  refused: [409, "The monitor is refused"],
  "limit-host": [409, "There are too many monitors of this host"],
  "limit-domain": [409, "There are too many monitors of this domain"],
  "limit-channels": [409, "There are too many channels"],
  changed: [412, "The monitor has changed since it was read"],
  "limit-network": [429, "This network has added too many monitors today"],
} as const satisfies Problems;

export type OwnerProblem = keyof typeof OWNER_PROBLEMS;

/** Why a request about a subscription is refused. */
export const VISITOR_PROBLEMS = {
  ...SHARED_PROBLEMS,
  unknown: [404, "There is no such subscription, or the token is wrong"],
  off: [404, "Nobody is told of changes here"],
  "limit-network": [429, "This network has subscribed too often today"],
  "limit-host": [503, "There are too many subscriptions at this host"],
  "limit-all": [503, "There are too many subscriptions"],
} as const satisfies Problems;

export type VisitorProblem = keyof typeof VISITOR_PROBLEMS;
