import { readFileSync } from "node:fs";
import { hasText } from "./answer-text.ts";
import type { HttpResponse } from "../network/http.ts";
import { PROGRAM_FOLDER } from "../../model/program-folder.ts";

/** Texts of pages that registrars and hosters show for a name without a site. Source: data/README.md, "Parked pages". */
const TEXTS: readonly { readonly text: string }[] = JSON.parse(
  readFileSync(new URL("data/parked-pages.json", PROGRAM_FOLDER), "utf8"),
);

/** Such a page is short. A page of a service may well link to a registrar. */
const MAX_BYTES = 32 * 1024;

/** Whether an answer is the page that a registrar or hoster shows for a name without a site. */
export function isParked(answer: HttpResponse): boolean {
  return answer.body.length <= MAX_BYTES && TEXTS.some(({ text }) => hasText(answer, text));
}
