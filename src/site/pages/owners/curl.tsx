import type { Html } from "../../html.ts";
import type { SiteAddress } from "../../view.ts";
import type { Language } from "../../words/language.ts";
import { OWNER_PAGE_WORDS } from "../../words/pages/owner-pages.ts";

interface OwnerCurlProps {
  readonly address: SiteAddress;
  readonly language: Language;
}

/** Where the operations of owners are for the script of a page: with the reports, on the host of the page or elsewhere. */
export function ownerApiOf({ reportUrl, root }: SiteAddress): string {
  return reportUrl === null || reportUrl === "" ? root : reportUrl;
}

/** Every step for a command line, for browsers without a script and for programs. */
export function OwnerCurl({ address, language }: OwnerCurlProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  const own = ownerApiOf(address);
  const api = own === address.root ? address.origin + own : own;
  const held = `-H "Authorization: Bearer $KEY" ${api}/monitors/$ID`;
  const lines = [
    `curl --json '{"url":"https://shop.example.ru/","public":true}' ${api}/monitors`,
    "ID=…; KEY=…",
    `curl -X POST ${held.replace("$ID", "$ID/verify")}`,
    `curl ${held}`,
    `curl -X PATCH --json '{"public":false}' ${held}`,
    `curl --json '{"webhook":"https://hooks.example.ru/status"}' ${held.replace("$ID", "$ID/channels")}`,
    `curl -X DELETE ${held}`,
    `curl -X POST ${held.replace("$ID", "$ID/restore")}`,
    `curl -X POST ${api}/monitors/$ID/token`,
  ];
  return (
    <details class="card" id="curl" open>
      <summary>{words.withoutScript}</summary>
      <p class="hint">{words.withoutScriptHint}</p>
      <pre tabindex={0}>
        <code>{lines.join("\n")}</code>
      </pre>
    </details>
  );
}
