/** What the script of the website is given. Declared for it alone: a script without imports finds its types only here. */

/** `data-words` of the body, in the language of the page. */
interface PageWords {
  /** Labels by verdict code, words by colour: what is in none of them is no state. */
  readonly codes: Readonly<Record<string, string>>;
  readonly colors: Readonly<Record<string, string>>;
  /** With `{time}`: when the last run was; that it is long ago. */
  readonly updated: string;
  readonly stale: string;
  readonly offline: string;
  /** After a report. */
  readonly thanks: string;
  readonly tooMany: string;
  readonly failed: string;
  /** With `{count}`: how many services a search shows; that there are none. */
  readonly found: string;
  readonly nothing: string;
  readonly copied: string;
}

/** An object of the API, before anything is known of its fields. */
type Fields = Readonly<Record<string, unknown>>;

/** What the API says of a service. `since` and the counts are those of its detail. */
interface Entry extends Fields {
  readonly slug: string;
  readonly code: string;
  readonly color: string;
  readonly live: boolean;
}
