import { isIP } from "node:net";
import type { FailureCode } from "../../model/probe-outcome.ts";
import type { DnsAnswer } from "./dns.ts";

/** Rules that an address must pass before anything connects to it. */
export interface AddressRules {
  /** Why connecting to an address is not allowed; undefined if it is allowed. */
  readonly refusalOf: (address: string) => string | undefined;
  /** Id of the fingerprint if the address is a known stub of a provider. */
  readonly stubOf: (address: string) => string | undefined;
}

export type AddressAnswer =
  | {
      readonly kind: "addresses";
      readonly addresses: readonly string[];
      /** The answer also had addresses to which connecting is not allowed. */
      readonly hasRefused: boolean;
    }
  | {
      readonly kind: "failed";
      readonly code: Extract<FailureCode, `dns-${string}`>;
      readonly fingerprint?: string;
    };

/** Addresses of one family for a host (a literal is its own address), without those to which connecting is not allowed. */
export async function findAddresses(
  host: string,
  family: 4 | 6,
  resolve: (host: string, family: 4 | 6) => Promise<DnsAnswer>,
  rules: AddressRules,
): Promise<AddressAnswer> {
  const literal = host.replace(/^\[|\]$/gu, "");
  const literalFamily = isIP(literal);
  if (literalFamily !== 0) {
    return literalFamily === family
      ? admit([literal], rules)
      : { kind: "failed", code: "dns-no-answer" };
  }
  const answer = await resolve(host, family);
  return answer.kind === "failed" ? answer : admit(answer.addresses, rules);
}

function admit(addresses: readonly string[], rules: AddressRules): AddressAnswer {
  const genuine = addresses.filter((address) => rules.stubOf(address) === undefined);
  const usable = genuine.filter((address) => rules.refusalOf(address) === undefined);
  if (usable.length > 0) {
    return { kind: "addresses", addresses: usable, hasRefused: usable.length < genuine.length };
  }
  const stub = addresses.map((address) => rules.stubOf(address)).find((id) => id !== undefined);
  if (stub !== undefined) return { kind: "failed", code: "dns-stub-address", fingerprint: stub };
  return { kind: "failed", code: addresses.length === 0 ? "dns-no-answer" : "dns-special-address" };
}
