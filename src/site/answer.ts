import { type AnnotationKind, isRemark, type RemarkKind } from "../model/service/catalogue.ts";
import type { Scope } from "../model/service/interference.ts";
import type { FailureCode } from "../model/failures.ts";
import { type VerdictCode, VERDICTS } from "../contract/codes/verdict.ts";
import type { ServiceView } from "./view.ts";
import type { ANSWER_WORDS } from "./words/answer.ts";

/** What a visitor is told of a service. Codes alone: `words/answer.ts` has the sentences. */
export type Answer = ReturnType<typeof composeAnswer>;

type Words = (typeof ANSWER_WORDS)["ru"];
/** `unnamed`: it is not known here what the sign was. */
type BlockSign = keyof Words["signs"];
export type DownAnswer = keyof Words["isDown"];
export type BlockAnswer = keyof Words["isBlocked"] | "annotated";
type MeAnswer = keyof Words["isMe"];
export type Elsewhere = keyof Words["elsewhere"];
/** `russia` and the like: for a failure whose scope is known. */
type Advice = keyof Words["advice"];

/** What an answer is composed of. */
export type AnsweredService = Pick<
  ServiceView,
  "verdict" | "scope" | "annotations" | "endpoints" | "unknown" | "operators"
>;

interface Three {
  readonly isDown: DownAnswer;
  readonly isBlocked: BlockAnswer;
  readonly isMe: MeAnswer;
}

/** Without knowledge of other places. Source: docs/services/verdicts.md. */
const USUAL: Readonly<Record<VerdictCode, Three>> = {
  ok: { isDown: "opens", isBlocked: "not-heard", isMe: "if-alone" },
  fail: { isDown: "seems", isBlocked: "unconfirmed", isMe: "unlikely" },
  fail_long: { isDown: "long", isBlocked: "possible", isMe: "unlikely" },
  err: { isDown: "errors", isBlocked: "reached", isMe: "no" },
  restricted_fail: { isDown: "cannot-tell", isBlocked: "unnamed", isMe: "no" },
  restricted: { isDown: "answers-probe", isBlocked: "unnamed", isMe: "no" },
  slow: { isDown: "slow", isBlocked: "unconfirmed", isMe: "unlikely" },
  partial: { isDown: "partly", isBlocked: "unconfirmed", isMe: "unlikely" },
  spike: { isDown: "reports", isBlocked: "reports", isMe: "many" },
  slowed_ru: { isDown: "no", isBlocked: "slowed", isMe: "unlikely" },
  partial_ru: { isDown: "no", isBlocked: "partly", isMe: "unlikely" },
  provider: { isDown: "no", isBlocked: "by-owner", isMe: "no" },
  none: { isDown: "unknown", isBlocked: "unknown", isMe: "unknown" },
};

/** Where the subscribers of one operator alone report a service that opens for us. */
const OF_ONE_OPERATOR: Three = {
  isDown: "one-operator",
  isBlocked: "reports",
  isMe: "one-operator",
};

type KnownScope = Exclude<Scope, "none" | "path" | "unknown">;

const KNOWN: Readonly<Record<KnownScope, Three>> = {
  russia: { isDown: "opens-abroad", isBlocked: "possible", isMe: "unlikely" },
  access: { isDown: "not-at-home", isBlocked: "possible", isMe: "unlikely" },
  client: { isDown: "not-browsers", isBlocked: "possible", isMe: "unlikely" },
  everywhere: { isDown: "seems-everywhere", isBlocked: "fails-abroad", isMe: "no" },
  network: { isDown: "opens-in-network", isBlocked: "unconfirmed", isMe: "network" },
  mixed: { isDown: "for-some", isBlocked: "unconfirmed", isMe: "unlikely" },
};

/** Failures that show blocking by themselves. Source: docs/services/scope.md, row 3. */
const SIGN_OF_FAILURE: Readonly<Partial<Record<FailureCode, BlockSign>>> = {
  "http-block-page": "block-page",
  "dns-stub-address": "stub-address",
  "http-legal-refusal": "legal-refusal",
};

const BLOCK_OF_ANNOTATION: Readonly<Record<Exclude<AnnotationKind, RemarkKind>, BlockAnswer>> = {
  restricted: "annotated",
  slowed_ru: "slowed",
  partial_ru: "partly",
  provider: "by-owner",
};

/** Answers about blocking that an annotation replaces: they know of nothing. */
const WEAK: ReadonlySet<BlockAnswer> = new Set(["unconfirmed", "possible", "reports", "not-heard"]);

/** The one answer that every page, feed and message takes its sentences from. Pure. */
export function composeAnswer(service: AnsweredService) {
  const { verdict, unknown, annotations } = service;
  const { scope, places } = service.scope;
  const { code } = verdict;
  const sign = signOf(service);
  const isRestricted = code === "restricted_fail";
  const isOpen = code === "fail" || code === "fail_long";
  const knownScope = (isOpen || isRestricted) && isKnown(scope) ? scope : undefined;
  const known = knownScope && KNOWN[knownScope];
  const isOneOperator = code === "spike" && service.operators.unusual?.isAlone === true;
  const usual = isOneOperator ? OF_ONE_OPERATOR : USUAL[code];
  const three: Three = known === undefined ? usual : isOpen ? known : mix(usual, known, scope);
  const isBlocked = blockOf(service, three.isBlocked, sign);
  // Verdicts that last are live while reports surge.
  const isSurge = verdict.live && VERDICTS[code].kind === "restriction";
  const isDown: DownAnswer = isSurge ? "reports" : three.isDown;
  return {
    code,
    /** By what a service counts as restricted that does not open. */
    sign,
    ...three,
    isDown,
    isBlocked,
    /** What other places say; undefined if it is not known, or the verdict has a cause of its own. */
    elsewhere: isOpen || isRestricted ? elsewhereOf(service, isBlocked) : undefined,
    advice: isOneOperator ? ("one-operator" as const) : (unknown ?? adviceOf(code, knownScope)),
    /** No other place is known, and one alone cannot tell the cause. */
    isFromOnePlace: isOpen && known === undefined && places.length === 0,
    unknown,
    /** Where the runner's own checks pass, although the verdict is a failure. */
    found: isOpen && (scope === "access" || scope === "client") ? scope : undefined,
    restrictedSince: annotations.find(({ kind }) => kind === "restricted")?.since,
  };
}

function isKnown(scope: Scope): scope is KnownScope {
  return scope in KNOWN;
}

/** A restricted service stays restricted; other places add whether it is down as well, and for whom. */
function mix(usual: Three, known: Three, scope: Scope): Three {
  return { ...usual, isDown: known.isDown, isMe: scope === "network" ? known.isMe : usual.isMe };
}

function signOf({ annotations, endpoints, scope }: AnsweredService): BlockSign {
  if (annotations.some(({ kind }) => kind === "restricted")) return "annotated";
  for (const { status } of endpoints) {
    const sign = status.kind === "failed" ? SIGN_OF_FAILURE[status.code] : undefined;
    if (sign !== undefined) return sign;
  }
  if (!scope.isClaimed) return "unnamed";
  if (scope.basis?.by === "home") return "home-lines";
  // One network is one experiment.
  return (scope.basis?.networks ?? 1) > 1 ? "other-name-agreed" : "other-name";
}

/** A restricted service has its sign. Any other has what its annotation says, if the checks know of nothing. */
function blockOf(
  { verdict: { code }, annotations }: AnsweredService,
  usual: BlockAnswer,
  sign: BlockSign,
): BlockAnswer {
  if (code === "restricted_fail" || code === "restricted" || sign === "annotated") return sign;
  const kind = annotations.map((annotation) => annotation.kind).find((one) => !isRemark(one));
  return kind !== undefined && WEAK.has(usual) ? BLOCK_OF_ANNOTATION[kind] : usual;
}

/** Where nothing is known of blocking, what opens abroad alone leaves a doubt. */
const DOUBTFUL: ReadonlySet<BlockAnswer> = new Set([...WEAK, "slowed", "partly"]);

function elsewhereOf(
  { verdict, scope: { scope, isClaimed } }: AnsweredService,
  isBlocked: BlockAnswer,
): Elsewhere | undefined {
  if (scope === "none" || scope === "unknown") return undefined;
  const isRestricted = verdict.code === "restricted_fail";
  if (scope === "access") return isRestricted && isClaimed ? "access-claimed" : scope;
  if (scope === "everywhere") return isRestricted ? "everywhere-too" : scope;
  if (scope !== "russia") return scope;
  if (DOUBTFUL.has(isBlocked)) return "abroad-doubt";
  return isRestricted && isClaimed ? "abroad-claimed" : "abroad";
}

function adviceOf(code: VerdictCode, known: KnownScope | undefined): Advice {
  const isVague = known === "russia" || known === "mixed";
  return code === "restricted_fail" && isVague ? code : (known ?? code);
}
