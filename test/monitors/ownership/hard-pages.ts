/** Longest page that a look reads, bytes. Source: `src/monitors/proof/look-for-proof.ts`. */
const BYTES = 128 * 1024;

const TOKEN = "AbCdEfGhIjKlMnOpQrStUv";

const TAG = `<meta name="status-snapshot" content="${TOKEN}">`;

const fill = (piece: string, bytes = BYTES): string =>
  piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);

/** A page that is hard for a parser, filled up to the longest that is read; its tag counts only if it stands in the head. */
export interface HardPage {
  readonly name: string;
  readonly html: string;
  /** What a look finds. */
  readonly tokens: readonly string[];
}

/** Hard parts that follow the tag, which stands in the head. */
const AFTER: Readonly<Record<string, string>> = {
  "nested blocks": fill("<div>"),
  "nested tables": fill("<table><tr><td>"),
  "formatting that is never closed": fill("<a><b><i><u>"),
  "formatting with other attributes each time, and paragraphs": fill(
    Array.from({ length: 40 }, (_, one) => `<b a${one}><p>`).join(""),
  ),
  "wrong ends of formatting": fill("<b><p></b></p>"),
  "links in links": fill("<a href=x>"),
  "one endless comment": `<!--${fill("<!-")}`,
  "many comments": fill("<!-->"),
  "one tag with endless attributes": `<p ${fill("a=b ")}`,
  "one tag with different attributes": `<p ${Array.from({ length: 15_000 }, (_, one) => `a${one}`).join(" ")}>`,
  "one endless attribute": `<p a="${fill("x")}`,
  "one endless name of a tag": `<${fill("x")}`,
  entities: fill("&amp;&notin;&CounterClockwiseContourIntegral;"),
  "entities that are none": fill("&nothing"),
  "numbers of letters": fill("&#x1F600;&#0;&#99999999;"),
  svg: fill("<svg><foreignObject><p>"),
  mathematics: fill("<math><mtext><table>"),
  "selects and options": fill("<select><option>"),
  frames: fill("<frameset><frame>"),
  forms: fill("<form><input><button>"),
  "lists of terms": fill("<dl><dd><dt><li>"),
  "ruby signs": fill("<ruby><rt><rp>"),
  "ends without beginnings": fill("</p></br></div>"),
  "text without tags": fill("текст "),
  zeros: fill("\0"),
  "bytes that are no UTF-8": fill("\uFFFD\u0080"),
};

/** Hard parts before the tag, which is not reached or does not count. */
const BEFORE: Readonly<Record<string, string>> = {
  templates: "<template>".repeat(1_500),
  "more tags than a head has": "<link>".repeat(2_000),
  "more attributes than a head has": `<meta name="x" content="${fill("y", 16_384)}">`,
  "a script that never ends": `<script>${fill("<!--<script>", 100_000)}`,
  "a style that never ends": `<style>${fill("</sty", 100_000)}`,
  "a title that never ends": `<title>${fill("&lt;/title", 100_000)}`,
  "a text of the body": fill("a", 1_000),
};

export const HARD_PAGES: readonly HardPage[] = [
  ...Object.entries(AFTER).map(([name, part]) => ({
    name: `the tag, then ${name}`,
    html: `<!doctype html><head>${TAG}</head><body>${part}`.slice(0, BYTES),
    tokens: [TOKEN],
  })),
  ...Object.entries(AFTER).map(([name, part]) => ({
    name: `${name}, then the tag`,
    html: `<!doctype html><body>${part.slice(0, BYTES - 200)}${TAG}`,
    tokens: [],
  })),
  ...Object.entries(BEFORE).map(([name, part]) => ({
    name: `${name} before the tag`,
    html: `<head>${part}${TAG}`.slice(0, BYTES),
    tokens: [],
  })),
];
