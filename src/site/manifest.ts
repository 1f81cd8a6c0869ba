import type { SiteAddress } from "./view.ts";
import { FRAME_WORDS } from "./words/pages/frame.ts";

/** Text of `/manifest.webmanifest`. Source: https://www.w3.org/TR/appmanifest/ */
export function buildManifest({ root, pushKey }: SiteAddress): string {
  const { siteName, estimate } = FRAME_WORDS.ru;
  return JSON.stringify({
    id: `${root}/`,
    name: siteName,
    short_name: "Статус",
    description: estimate,
    lang: "ru",
    dir: "ltr",
    start_url: `${root}/`,
    scope: `${root}/`,
    // Safari on a phone gives notices only to a site that opens from the home screen without the browser's own bars.
    display: pushKey === null ? "minimal-ui" : "standalone",
    background_color: "#faf9f6",
    theme_color: "#faf9f6",
    icons: [
      { src: `${root}/favicon.svg`, sizes: "any", type: "image/svg+xml" },
      { src: `${root}/icon-192.png`, sizes: "192x192", type: "image/png" },
      { src: `${root}/icon-512.png`, sizes: "512x512", type: "image/png" },
      {
        src: `${root}/icon-maskable.png`,
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable",
      },
    ],
  });
}
