import type { Client } from "./client.ts";
import { judgeConditional } from "./conditional.ts";
import { type Answer, findStatusProblems, hasStatus, headerOf, ORIGIN } from "./exchange.ts";
import { type Finding, judge } from "./finding.ts";
import { judgeHeaders } from "./headers.ts";
import { judgeHead } from "./methods.ts";
import { badgePath } from "./specification.ts";

/** Judges the badge of a monitor whose page is public. */
export async function judgeBadge(client: Client, id: string): Promise<readonly Finding[]> {
  const target = badgePath(id);
  const [exchanges, head, conditional] = await Promise.all([
    Promise.all([
      client.send({ method: "GET", target }),
      client.send({ method: "GET", target, headers: ORIGIN }),
    ]),
    judgeHead(client, "badge.head", target),
    judgeConditional(client, "badge.conditional", target),
  ]);
  const reachable = judge("badge.reachable", findStatusProblems(exchanges, [200]), target);
  const answer = exchanges.find((exchange) => hasStatus(exchange, 200));
  // Whatever else is missing of a badge that is not there would only repeat that.
  if (!hasStatus(answer, 200)) return [reachable];
  return [
    reachable,
    judge("badge.svg", findSvgProblems(answer.body), `${answer.body.length} bytes`),
    judge("badge.policy", findPolicyProblems(answer), "scripts are forbidden"),
    head,
    conditional,
    ...judgeHeaders("badge", exchanges),
  ];
}

/** What makes an SVG more than a picture. A badge has no use for any of it, so its text being there is enough. */
const ACTIVE: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/<\s*(?:[\w-]+:)?script/iu, "has a <script>"],
  [/\son[a-z]+\s*=/iu, "has an event handler"],
  [/<\s*(?:[\w-]+:)?foreignObject/iu, "has a <foreignObject>"],
  [/\bjavascript:/iu, "has a javascript: address"],
  [/<!(?:DOCTYPE|ENTITY)/iu, "has a document type"],
  [/\b(?:href|src)\s*=\s*["']?\s*(?:https?:)?\/\//iu, "loads something from elsewhere"],
];

function findSvgProblems(body: Uint8Array): readonly string[] {
  const text = new TextDecoder("utf-8").decode(body);
  const isSvg =
    /^(?:<\?xml[^>]*\?>)?\s*(?:<!--[\s\S]*?-->\s*)*<svg[\s>/]/u.test(text) &&
    /(?:<\/svg>|\/>)\s*$/u.test(text);
  return [
    ...(isSvg ? [] : ["the root is not <svg>"]),
    ...ACTIVE.filter(([pattern]) => pattern.test(text)).map(([, words]) => words),
  ];
}

/** Scripts are forbidden by `script-src` (or `default-src` in its place) 'none', or by a sandbox without scripts. Source: CSP Level 3. */
function findPolicyProblems(answer: Answer): readonly string[] {
  const shown = headerOf(answer, "content-security-policy");
  if (shown === undefined) return ["no Content-Security-Policy"];
  const directives = new Map(
    shown
      .toLowerCase()
      .split(/[;,]/u)
      .map((part): [string, string] => {
        const [name = "", ...values] = part.trim().split(/\s+/u);
        return [name, values.join(" ")];
      }),
  );
  const scripts = directives.get("script-src") ?? directives.get("default-src");
  const sandbox = directives.get("sandbox");
  if (scripts === "'none'") return [];
  if (sandbox !== undefined && !sandbox.includes("allow-scripts")) return [];
  return [`Content-Security-Policy is ${shown}`];
}
