import { domainToUnicode } from "node:url";

/** Of one alphabet each, so that no letter of one looks like that of another. Source: UTS 39, "Restriction-Level Detection". */
const PLAIN_LABELS = [/^[a-z\d-]+$/u, /^[\p{Script=Cyrillic}\d-]+$/u];

/**
 * A host, with or without a port, as people write it: `xn--e1afmkfd.xn--p1ai` is `пример.рф`. A name of mixed alphabets, of others than
 * Latin and Cyrillic, or in Cyrillic letters below a Latin ending, could pass for another and stays in Punycode.
 */
export function showHost(host: string): string {
  if (!/(?:^|\.)xn--/iu.test(host)) return host;
  const [, name = host, port = ""] = /^(.*?)((?::\d+)?)$/u.exec(host) ?? [];
  const labels = domainToUnicode(name).split(".");
  const isPlain = labels.every((label) => PLAIN_LABELS.some((plain) => plain.test(label)));
  const isCyrillic = /\p{Script=Cyrillic}/u.test(labels.at(-1) ?? "");
  return isPlain && isCyrillic ? labels.join(".") + port : host;
}

/** An absolute web address with its host as people write it. */
export function showUrl(url: string): string {
  return url.replace(/^(https?:\/\/)([^/?#]+)/u, (_, scheme: string, host: string) => {
    return scheme + showHost(host);
  });
}
