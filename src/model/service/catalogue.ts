/** Of a file of a catalogue, and of an overlay. Source: docs/services/catalogue.md, "Limits". */
export const MAX_CATALOGUE_BYTES: number = 4 * 1024 * 1024;

/** Of all services together, and so of an ask to a vantage and of its answer. Source: docs/services/catalogue.md, "Limits". */
export const MAX_CATALOGUE_ENDPOINTS = 2_048;

/** Access from Russia is limited. */
const ACCESS_KINDS = ["restricted", "slowed_ru", "partial_ru"] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** What moves no verdict. `remark`: worth knowing, as that payments ended. `calls`: the site may work, but no calls; no probe sees them. */
const REMARK_KINDS = ["remark", "calls"] as const;
export type RemarkKind = (typeof REMARK_KINDS)[number];

/** `provider`: the owner of the service limits its use from Russia; it may stand beside an access kind. */
export const ANNOTATION_KINDS = [...ACCESS_KINDS, "provider", ...REMARK_KINDS] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** A dated statement about a service. It never comes from a measurement. */
export interface Annotation {
  readonly kind: AnnotationKind;
  /** Day on which it began to hold, `YYYY-MM-DD`. */
  readonly since: string;
  /** In English. */
  readonly reason: string;
  /** The reason in Russian, as the website says it there. Absent: it says the reason as it is. */
  readonly reasonRu?: string;
  /** A public page that says the same. `title`: the outlet or author, its words and its date, in the language of the page. */
  readonly source?: { readonly url: string; readonly title: string };
  /** In place of a source: no public page is known that confirms it. */
  readonly certainty?: "reported";
}

/**
 * How a service's own refusal of this region looks. All given parts must hold; at least one is given.
 * `body` and `location` are plain substrings of the body read and of the `Location` header.
 */
export interface DenialRule {
  readonly status?: number;
  readonly body?: string;
  readonly location?: string;
}

/** Which roots may vouch for an endpoint's certificate: the public ones, or those of `--extra-ca` as well. */
export type Trust = "public" | "national";

export interface Endpoint {
  /** Absolute http or https URL in its normal form; unique in the whole catalogue, so it also identifies the endpoint. */
  readonly url: string;
  /** What a person would call it, in English: "internet bank". */
  readonly what: string;
  /** The same in Russian, as the website says it there. Absent: it shows the host. */
  readonly whatRu?: string;
  /** Whether the service is unusable without it. */
  readonly isCritical: boolean;
  /** Statuses that count as healthy. Absent: any below 500 except 451. A 3xx named here is an answer and is not followed. */
  readonly expect?: readonly number[];
  readonly trust: Trust;
  readonly denied?: DenialRule;
  /** Text that a healthy body holds, in UTF-8. */
  readonly body?: string;
  /** Texts that no healthy body holds: works under way, a parked domain. */
  readonly notBody?: readonly string[];
  /** Part of the `Location` that a redirect of this endpoint has: a redirect that leads elsewhere is a failure. */
  readonly location?: string;
  /** Registrable domains that a redirect may lead to: its own, and others of its owner. Absent: any. */
  readonly sites?: readonly string[];
  /** `answer`: a redirect is the answer here, and is not followed. Absent: it is followed. */
  readonly redirects?: "answer";
  /** `answer`: a page that says that works are under way is an answer like any other. Absent: it is a failure. */
  readonly works?: "answer";
  /** Whom its owner does not let in, so that no answer to them says nothing about the service. Absent: no one. */
  readonly refuses?: readonly Refusal[];
}

/** `hosting`: machines in data centres, wherever they are. `abroad`: everyone outside Russia. */
export const REFUSALS = ["hosting", "abroad"] as const;
export type Refusal = (typeof REFUSALS)[number];

export interface Service {
  readonly slug: string;
  /** Display name, in Russian. */
  readonly name: string;
  /** Display name in English. Absent: the same as `name`. */
  readonly nameEn?: string;
  /** What has to stand beside its name, by law for instance, in Russian; and in English, absent: the same. */
  readonly note?: string;
  readonly noteEn?: string;
  /** Other names that visitors search for: spoken, former and short ones. */
  readonly aliases: readonly string[];
  /** Id of one of the catalogue's categories. */
  readonly category: string;
  readonly endpoints: readonly Endpoint[];
  readonly annotations: readonly Annotation[];
  /** Whether its servers are abroad, behind the runner's way abroad. */
  readonly isAbroad: boolean;
}

/** A host probed only to learn whether the runner itself is online. */
export interface Anchor {
  readonly url: string;
  readonly scope: "domestic" | "foreign";
  /** The network that carries its traffic, so that anchors of one network count once: "AS13238 Yandex". */
  readonly network: string;
}

export interface Category {
  readonly id: string;
  /** Display name, in Russian. */
  readonly name: string;
}

export interface Catalogue {
  readonly categories: readonly Category[];
  readonly anchors: readonly Anchor[];
  /** In the order in which the list document shows them. */
  readonly services: readonly Service[];
}

/** The one access annotation a service may have, or `none`. */
export function accessOf(service: Service): AccessKind | "none" {
  const kinds: ReadonlySet<AnnotationKind> = new Set(service.annotations.map(({ kind }) => kind));
  return ACCESS_KINDS.find((kind) => kinds.has(kind)) ?? "none";
}

/** Whether an annotation of this kind only tells a reader something: it moves no verdict and answers no question about blocking. */
export function isRemark(kind: AnnotationKind): kind is RemarkKind {
  const remarks: readonly AnnotationKind[] = REMARK_KINDS;
  return remarks.includes(kind);
}
