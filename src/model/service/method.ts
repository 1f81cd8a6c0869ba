/**
 * Each change of the rules by which verdicts, or the numbers about them, are made, by its UTC day, oldest first. To compare two months, a
 * reader has to know whether the rules were the same. The words for readers of Russian are in src/site/words/pages/accuracy.ts.
 */
export const METHOD_CHANGES = [
  {
    date: "2026-11-24",
    text: "The record of verdicts begins, with the rules of confirmation, held failures, reports and scope that are in force on this day.",
  },
  {
    date: "2026-11-26",
    text: "Healthy means that it opens in a browser: what Chromium forgives in an answer or a certificate counts as an answer, what it refuses as a failure; cookies are kept and ten redirects followed. A protection against robots that answers in place of a service counts as an answer. What never answered is not known, and neither is silence of owners that refuse data centres; an endpoint that fails alone in its service is told one run later; slow begins at four seconds; blocking is claimed of services abroad alone.",
  },
  {
    date: "2026-11-27",
    text: "A claim of blocking needs like compared with like: the same alert under another name is no answer, controls count only with the answer that the endpoint usually gives, an address that is many servers needs a second network in Moscow. Two networks of subscribers in Moscow that are cut by name make a claim while a data centre opens the service. Places in Moscow vote only once they have proven themselves.",
  },
] as const;

export type MethodDate = (typeof METHOD_CHANGES)[number]["date"];

/** The version of the method that all open data carry: the date of its last change. */
export const METHOD_VERSION: MethodDate = (METHOD_CHANGES.at(-1) ?? METHOD_CHANGES[0]).date;
