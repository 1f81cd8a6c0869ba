import type { ProofMethod } from "../../model/monitor/owned-monitor.ts";
import type { ProofLook } from "../../model/monitor/proof-look.ts";

/** The edit that a look leads to, if any: the proof was found, is gone for certain, or monitoring is refused. */
export type LookOutcome =
  | { readonly kind: "proof-seen"; readonly token: string; readonly method: ProofMethod }
  | { readonly kind: "proof-missing" }
  | { readonly kind: "denied" }
  | undefined;

/**
 * What a look means for a monitor.
 *
 * @param provedBy the method of its last proof. Only an answer at that place says that the proof is gone: a site that is down says
 * nothing.
 */
export function concludeLook(
  { isDenied: denied, places }: ProofLook,
  provedBy: ProofMethod | undefined,
): LookOutcome {
  if (denied) return { kind: "denied" };
  for (const [method, { finding }] of places)
    if (finding.kind === "found") return { kind: "proof-seen", token: finding.token, method };
  const last = provedBy === undefined ? undefined : places.get(provedBy)?.finding.kind;
  return last === "absent" || last === "other" ? { kind: "proof-missing" } : undefined;
}
