/** Source: docs/services/catalogue.md, "Audit". */
export const AUDIT_FINDINGS = [
  "unproven",
  "chronic",
  "redirects-elsewhere",
  "wall",
  "certificate-ends",
  "national-certificate",
] as const;
export type AuditFindingKind = (typeof AUDIT_FINDINGS)[number];

/** One thing that the operator should check. */
export interface AuditFinding {
  readonly kind: AuditFindingKind;
  readonly slug: string;
  readonly url: string;
  /** The verdict of the service rests on it. */
  readonly isCritical: boolean;
  /** What was measured, in English. */
  readonly what: string;
  /** Lines for the endpoint's entry in the catalogue, or a comment if the operator has to decide. Empty: nothing to change. */
  readonly proposal: readonly string[];
}

/** A network on which several services depend. */
export interface SharedNetwork {
  readonly network: string;
  /** Services with a critical endpoint there. */
  readonly slugs: readonly string[];
}

export type CatalogueAudit =
  /** There are fewer than two runs. */
  | { readonly kind: "too-early"; readonly runs: number; readonly spanMs: number }
  | {
      readonly kind: "audited";
      readonly runs: number;
      readonly spanMs: number;
      readonly endpoints: number;
      /** Critical endpoints that have never answered, or in whose place only walls have. */
      readonly unreached: number;
      readonly findings: readonly AuditFinding[];
      readonly networks: readonly SharedNetwork[];
    };
