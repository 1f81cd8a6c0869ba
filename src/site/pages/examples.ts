/** Responses, programs and snippets that pages show. `base` is the address of the site, without a slash at its end. */

export const LIST_EXAMPLE = `{
  "updated": 1795250700,
  "services": [
    {"slug": "sberbank", "name": "Сбербанк Онлайн", "color": "ok", "code": "ok", "live": false},
    {"slug": "t-bank", "name": "Т-Банк", "color": "bad", "code": "fail", "live": true}
  ]
}`;

export const DETAIL_EXAMPLE = `{
  "slug": "t-bank",
  "name": "Т-Банк",
  "color": "bad",
  "code": "fail",
  "live": true,
  "since": 1795245000,
  "reportsHour": 240,
  "reportsDay": 1213
}`;

export function shellExample(base: string): string {
  return [
    `curl -s ${base}/api/v1/status |`,
    `  jq -r '.services[] | select(.color == "bad") | "\\(.name): \\(.code)"'`,
    "",
    `curl -s ${base}/api/v1/status/sberbank`,
  ].join("\n");
}

export function scriptExample(base: string): string {
  return [
    `const answer = await fetch("${base}/api/v1/status");`,
    `if (!answer.ok) throw new Error("HTTP " + answer.status);`,
    `const { updated, services } = await answer.json();`,
    `console.log(new Date(updated * 1000));`,
    `for (const { name, code, color } of services) {`,
    `  if (color === "bad") console.log(name, code);`,
    `}`,
  ].join("\n");
}

export function pythonExample(base: string): string {
  return [
    "import json",
    "from urllib.request import urlopen",
    "",
    `with urlopen("${base}/api/v1/status/sberbank", timeout=10) as answer:`,
    "    service = json.load(answer)",
    'print(service["name"], service["code"], service["reportsHour"])',
  ].join("\n");
}

/** A badge that links to the page of its monitor. */
export interface BadgeLink {
  /** URLs of both. */
  readonly badge: string;
  readonly page: string;
  /** Text alternative. */
  readonly alternative: string;
}

export function badgeHtml({ badge, page, alternative }: BadgeLink): string {
  return `<a href="${page}"><img src="${badge}" alt="${alternative}" height="20"></a>`;
}

export function badgeMarkdown({ badge, page, alternative }: BadgeLink): string {
  return `[![${alternative}](${badge})](${page})`;
}

export function badgeBbCode({ badge, page }: Pick<BadgeLink, "badge" | "page">): string {
  return `[url=${page}][img]${badge}[/img][/url]`;
}

export function shieldsAddress(base: string): string {
  return `https://img.shields.io/endpoint?url=${encodeURIComponent(`${base}/api/m/ID/badge.json`)}`;
}

export function embedExample(base: string, language: string): string {
  return [
    `<script src="${base}/embed.js" async></script>`,
    `<status-snapshot slugs="sberbank,vtb" lang="${language}"></status-snapshot>`,
  ].join("\n");
}

export function linkExample(page: string, text: string): string {
  return `<a href="${page}">${text}</a>`;
}
