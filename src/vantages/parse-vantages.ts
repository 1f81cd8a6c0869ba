import { LINES } from "../model/service/choices.ts";
import * as z from "zod";
import { MAX_VANTAGES, VANTAGE_KINDS, type Vantage } from "../model/service/vantage.ts";
import { checkedText, ID_TEXT, refuseRepeated, strictMapping } from "../yaml/check-shape.ts";
import { readYamlAs } from "../yaml/read-yaml-as.ts";
import { faultInText } from "../yaml/validators.ts";

const MAX_BYTES = 256 * 1024;
const MAX_NETWORK_LENGTH = 100;
const LARGEST_ASN = 4_294_967_295;
const KEY_BYTES = 32;

const COUNTRY = checkedText((written) =>
  /^[A-Z]{2}$/.test(written) ? undefined : "not a country; write two capital letters, as in DE.",
);

const PUBLIC_KEY = checkedText((written) =>
  /^[A-Za-z0-9_-]+$/.test(written) && Buffer.from(written, "base64url").length === KEY_BYTES
    ? undefined
    : "not a public key; copy the line that `status-snapshot vantage keygen` prints.",
);

const VANTAGE = strictMapping({
  id: ID_TEXT,
  kind: z.enum(VANTAGE_KINDS),
  country: COUNTRY,
  asn: z.number().refine((asn) => Number.isInteger(asn) && asn >= 1 && asn <= LARGEST_ASN, {
    message: "not the number of an autonomous system; write it without AS, as in 24940.",
  }),
  network: checkedText((written) => faultInText(written, MAX_NETWORK_LENGTH)),
  line: z.exactOptional(z.enum(LINES)),
  publicKey: PUBLIC_KEY,
}).check(({ value, issues }) => {
  const message =
    value.kind === "control" && value.country === "RU"
      ? "a control is in another country; in Russia write moscow, region or mobile."
      : value.kind === "moscow" && value.country !== "RU"
        ? "Moscow is in RU; elsewhere write control."
        : undefined;
  if (message !== undefined)
    issues.push({ code: "custom", input: value.kind, path: ["kind"], message });
});

const VANTAGES = strictMapping({
  vantages: z
    .array(VANTAGE)
    .max(MAX_VANTAGES, `has too many vantages; give at most ${MAX_VANTAGES}.`)
    .check(refuseRepeated("vantage", "id", "publicKey")),
});

/**
 * Parses `vantages.yaml`. Either gives the vantages, or every problem at once, sorted by position. A file with one problem is refused as a whole: a
 * vantage whose kind was misspelt must not become a voter. Never throws. See docs/services/vantages.md.
 */
export function parseVantages(source: Uint8Array | string) {
  const yaml = readYamlAs(source, MAX_BYTES, VANTAGES);
  if (yaml.kind === "invalid") return yaml;
  return { kind: "ok" as const, vantages: yaml.value.vantages satisfies readonly Vantage[] };
}
