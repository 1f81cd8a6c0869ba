import { CookieJar } from "tough-cookie";
import { type Headers, valuesOf } from "./response-parser.ts";

/** Of the cookies that one answer sets, and of those that one request sends: walls need some hundred. */
const MAX_CHARACTERS = 8_192;

/** The cookies of one probe, which are gone with it. */
export interface ProbeCookies {
  /** The value of `Cookie` for a request; "": none. */
  readonly headerFor: (url: URL) => string;
  /** Takes what an answer sets, as far as a browser would. */
  readonly take: (headers: Headers, url: URL) => void;
}

/** Without an answer that sets one, nothing is made. Its functions never throw. */
export function createCookies(): ProbeCookies {
  let jar: CookieJar | undefined;
  return {
    headerFor: (url) => {
      const text = jar?.getCookieStringSync(url.href) ?? "";
      return text.length > MAX_CHARACTERS ? "" : text;
    },
    take: (headers, url) => {
      let left = MAX_CHARACTERS;
      for (const one of valuesOf(headers, "set-cookie")) {
        left -= one.length;
        if (left < 0) return;
        jar ??= new CookieJar();
        jar.setCookieSync(one, url.href, { ignoreError: true });
      }
    },
  };
}
