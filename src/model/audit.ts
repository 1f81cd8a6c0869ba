/** What a catalogue audit finds; each is explained in docs/catalogue.md, "Audit". */
export const AUDIT_FINDINGS = [
  "unproven",
  "chronic",
  "redirects-elsewhere",
  "wall",
  "certificate-ends",
  "national-certificate",
  "shared-address",
] as const;
export type AuditFindingKind = (typeof AUDIT_FINDINGS)[number];

/** One thing that somebody should look at. */
export interface AuditFinding {
  readonly kind: AuditFindingKind;
  readonly slug: string;
  readonly url: string;
  /** What was measured, in English. */
  readonly what: string;
  /** Lines for the endpoint's entry in the catalogue, or a comment where a person has to decide. Empty: nothing to change. */
  readonly proposal: readonly string[];
}

/** What several endpoints depend on. */
export interface SharedNetwork {
  readonly network: string;
  /** Services with a critical endpoint there. */
  readonly slugs: readonly string[];
}

export type CatalogueAudit =
  /** Less than a day of runs says more about the hour than about the catalogue. */
  | { readonly kind: "too-early"; readonly runs: number; readonly spanMs: number }
  | {
      readonly kind: "audited";
      readonly runs: number;
      readonly spanMs: number;
      readonly endpoints: number;
      readonly findings: readonly AuditFinding[];
      readonly networks: readonly SharedNetwork[];
    };
