import { readFileSync } from "node:fs";
import { hasText } from "./answer-text.ts";
import type { HttpResponse } from "../network/http.ts";
import { valuesOf } from "../network/response-parser.ts";
import { PROGRAM_FOLDER } from "../../model/program-folder.ts";

/** One sign of a wall; all of its parts must hold. */
interface Mark {
  readonly host?: string;
  readonly statuses?: readonly number[];
  readonly header?: string;
  readonly contains?: string;
  /** How the path of a redirect begins, with its query. */
  readonly location?: string;
  readonly body?: string;
}

interface Wall {
  readonly id: string;
  readonly vendor: string;
  readonly marks: readonly Mark[];
}

/** What protects sites from robots, with the marks of its answers. Source: data/README.md, "Walls". */
const WALLS: readonly Wall[] = JSON.parse(
  readFileSync(new URL("data/walls.json", PROGRAM_FOLDER), "utf8"),
);

/** Such pages are short. A page of a service may well speak of its protection, or link to a registrar. */
const MAX_BYTES = 32 * 1024;

/** The name of the vendor of a wall; its id if a newer version has written it. */
export function vendorOf(id: string): string {
  return WALLS.find((wall) => wall.id === id)?.vendor ?? id;
}

/** The wall that has answered in place of a site. Only of answers that no third party can have written: a filter could pretend to be one. */
export function findWall(answer: HttpResponse, url: URL): string | undefined {
  return WALLS.find(({ marks }) => marks.some((mark) => holds(mark, answer, url)))?.id;
}

function holds(mark: Mark, answer: HttpResponse, url: URL): boolean {
  const { host, statuses, header, contains = "", location, body } = mark;
  if (host !== undefined && url.hostname !== host && !url.hostname.endsWith(`.${host}`))
    return false;
  if (statuses?.includes(answer.status) === false) return false;
  const values = header === undefined ? undefined : valuesOf(answer.headers, header);
  if (values?.some((one) => one.includes(contains)) === false) return false;
  if (location !== undefined && !leadsTo(answer, url, location)) return false;
  return body === undefined || isShortWith(answer, body);
}

function leadsTo(answer: HttpResponse, url: URL, start: string): boolean {
  if (answer.status < 300 || answer.status > 399) return false;
  return valuesOf(answer.headers, "location").some((target) => {
    if (!URL.canParse(target, url.href)) return false;
    const { pathname, search } = new URL(target, url.href);
    return (pathname + search).startsWith(start);
  });
}

function isShortWith(answer: HttpResponse, text: string): boolean {
  return answer.body.length <= MAX_BYTES && hasText(answer, text);
}

/** Texts of pages that registrars and hosters show for a name without a site. Source: data/README.md, "Parked pages". */
const PARKED_TEXTS: readonly { readonly text: string }[] = JSON.parse(
  readFileSync(new URL("data/parked-pages.json", PROGRAM_FOLDER), "utf8"),
);

/** Whether an answer is the page that a registrar or hoster shows for a name without a site. */
export function isParked(answer: HttpResponse): boolean {
  return PARKED_TEXTS.some(({ text }) => isShortWith(answer, text));
}
