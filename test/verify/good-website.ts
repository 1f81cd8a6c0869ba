import { ENGLISH_NAMES } from "./good-statuspage.ts";

/** The website at an address, by key, written independently of the publisher, so that it does not share its mistakes. */
export function drawWebsite(
  base: string,
  slugs: readonly string[],
): Readonly<Record<string, string>> {
  const services = slugs.flatMap((slug) => {
    const feed = `feed/${slug}.atom`;
    return [...drawBoth(base, `status/${slug}`, () => feed), drawFeed(base, "", feed)];
  });
  return Object.fromEntries([
    ...drawBoth(base, "", (folder) => `${folder}feed.atom`),
    ...["", "en/"].map((folder) => drawFeed(base, folder, `${folder}feed.atom`)),
    ...services,
    ...drawBoth(base, "api"),
    ...drawBoth(base, "about"),
    ...drawBoth(base, "data"),
    ["404.html", '<!doctype html><html lang="ru"><meta name="robots" content="noindex">нет</html>'],
    ["sitemap.xml", drawSitemap(base, slugs)],
    [
      "robots.txt",
      `User-agent: *\nDisallow: /report/ # a comment\n\nSitemap: ${base}/sitemap.xml\n`,
    ],
    ["names.json", JSON.stringify({ en: ENGLISH_NAMES })],
    ["openapi.json", JSON.stringify({ openapi: "3.1.1", servers: [{ url: base }] })],
    ...["site.css", "site.js", "favicon.svg", "manifest.webmanifest"].map((key) => [key, "x"]),
  ]);
}

/** A page in both languages, each with the feed that it names. */
function drawBoth(
  base: string,
  path: string,
  feedOf?: (folder: string) => string,
): readonly [string, string][] {
  return ["", "en/"].map((folder) => [
    path === "" ? `${folder}index.html` : folder + path,
    drawPage(base, folder, path, feedOf?.(folder)),
  ]);
}

function drawPage(base: string, folder: string, path: string, feed: string | undefined): string {
  const url = `${base}/${folder}${path}`;
  return `<!doctype html>
<html lang=${folder === "" ? "ru" : "en"}><head><meta charset="utf-8"><title>&lt;link rel="canonical"&gt;</title>
<!-- <link rel="canonical" href="https://elsewhere.example/"> -->
<link rel="canonical" href="${url}">
<link rel="alternate" hreflang="ru" href="${base}/${path}"/>
<LINK HREF='${base}/en/${path}' HREFLANG='en' REL='alternate'>
<link rel="alternate" hreflang="x-default" href="${base}/${path}">
<meta property="og:url" content="${url.replaceAll("/", "&#x2F;")}"><meta property="og:image" content="${base}/card.png">
<link rel="stylesheet" href="/site.css?v=1"><link rel="icon" href="/favicon.svg">
<link rel="manifest" href="/manifest.webmanifest"><script src="/site.js" defer></script>
${feed === undefined ? "" : `<link rel="alternate" type="application/atom+xml" href="${base}/${feed}">`}
</head><body><pre>curl ${base}/api/v1/status</pre></body></html>`;
}

function drawFeed(base: string, folder: string, feed: string): [string, string] {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:uuid:6f3c8b52-0a1d-8c57-9d2e-b8a4f7e1c963</id><title>x</title>
<author><name>x</name><uri>${base}/</uri></author><updated>2026-01-01T00:00:00Z</updated>
<link rel="self" href="${base}/${feed}"/><link rel="alternate" href="${base}/${folder}"/><icon>${base}/favicon.svg</icon>
</feed>
`;
  return [feed, text];
}

function drawSitemap(base: string, slugs: readonly string[]): string {
  const paths = ["", ...slugs.map((slug) => `status/${slug}`), "api", "about", "data"];
  const urls = paths.flatMap((path) =>
    ["", "en/"].map(
      (folder) =>
        `<url><loc>${base}/${folder}${path}</loc><xhtml:link rel="alternate" hreflang="en" href="${base}/en/${path}"/></url>`,
    ),
  );
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join("")}</urlset>`;
}
