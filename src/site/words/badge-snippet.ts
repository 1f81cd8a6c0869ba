/** A badge that links to the page of its monitor. */
interface BadgeLink {
  /** URLs of both. */
  readonly badge: string;
  readonly page: string;
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
