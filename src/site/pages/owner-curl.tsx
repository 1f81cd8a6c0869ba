import type { Html } from "../html.ts";
import type { SiteAddress } from "../view.ts";
import type { Language } from "../words/language.ts";
import { OWNER_PAGE_WORDS } from "../words/owner-pages.ts";

interface OwnerCurlProps {
  readonly address: SiteAddress;
  readonly language: Language;
}

/** Where the operations of owners are: with the reports. */
export function ownerApiOf({ reportUrl, origin, root }: SiteAddress): string {
  return reportUrl === null || reportUrl === "" ? origin + root : reportUrl;
}

/** Every step for a command line, for browsers without a script and for programs. */
export function OwnerCurl({ address, language }: OwnerCurlProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  const api = ownerApiOf(address);
  const own = `-H "Authorization: Bearer $KEY" ${api}/monitors/$ID`;
  const lines = [
    `curl --json '{"url":"https://shop.example.ru/","public":true}' ${api}/monitors`,
    "ID=…; KEY=…",
    `curl -X POST ${own.replace("$ID", "$ID/verify")}`,
    `curl ${own}`,
    `curl -X PATCH --json '{"public":false}' ${own}`,
    `curl -X DELETE ${own}`,
    `curl -X POST ${own.replace("$ID", "$ID/restore")}`,
    `curl -X POST ${api}/monitors/$ID/token`,
  ];
  return (
    <details class="card" id="curl">
      <summary>{words.withoutScript}</summary>
      <p class="hint">{words.withoutScriptHint}</p>
      <pre tabindex={0}>
        <code>{lines.join("\n")}</code>
      </pre>
    </details>
  );
}
