import { SLUG_FORM } from "../model/ids.ts";
import * as z from "zod";
import {
  DEFAULT_SITE_SETTINGS,
  type SitePeople,
  type SiteSettings,
} from "../model/site-settings.ts";
import { checkedText, strictMapping } from "../yaml/check-shape.ts";
import { suggestWord } from "../yaml/suggest.ts";
import { faultInName, readUrl } from "../yaml/validators.ts";
import type { Flags } from "./options/options.ts";

/** The decisions that were given: the state keeps the others, but with a settings file they are off. `categories`: ids of the catalogue. */
export function readSiteSettings(
  { people, pushKey, isSelfService, reportUrl, settings: file }: Flags<"publish" | "settings">,
  categories: readonly string[],
) {
  const settings: Partial<SiteSettings> = {
    ...(file === undefined ? {} : DEFAULT_SITE_SETTINGS),
    ...(pushKey === undefined ? {} : { pushKey }),
    ...(isSelfService === undefined ? {} : { isSelfService }),
    ...(reportUrl === undefined ? {} : { reportUrl }),
    ...(people === undefined ? {} : { people }),
  };
  return { settings, warnings: findStrangers(people, categories) };
}

/** Categories of channels that the catalogue does not have, a line each. An upgrade that removes one must not stop runs. */
function findStrangers(people: SitePeople | undefined, known: readonly string[]) {
  return Object.keys(people?.follow?.categories ?? {}).flatMap((id) => {
    if (known.includes(id)) return [];
    const word = suggestWord(id, known);
    const hint = word === undefined ? "remove it." : `did you mean "${word}"?`;
    return [
      `about.follow.categories.${id}: the catalogue has no such category, so no page shows its channels; ${hint}`,
    ];
  });
}

const name = checkedText(faultInName);

const link = checkedText((text) => {
  if (/^mailto:[^\s@<>"]+@[^\s@<>"]+$/u.test(text) || !("fault" in readUrl(text))) return undefined;
  return "write a URL such as https://example.ru/ or mailto:status@example.ru.";
});

/** A link that visitors of every page may follow. */
const channelLink = checkedText((text) => {
  const isWeb = !("fault" in readUrl(text)) && /^https:\/\//iu.test(text);
  return isWeb ? undefined : "write the URL of a channel such as https://t.me/status_example.";
});

const CHANNELS = { telegram: z.exactOptional(channelLink), max: z.exactOptional(channelLink) };

const NO_CATEGORY = "not the id of a category; the catalogue has them.";

const CATEGORIES = z.record(z.string(), strictMapping(CHANNELS)).superRefine((links, context) => {
  for (const id of Object.keys(links))
    if (!SLUG_FORM.test(id)) context.addIssue({ code: "custom", path: [id], message: NO_CATEGORY });
});

const FOLLOW = strictMapping({ ...CHANNELS, categories: z.exactOptional(CATEGORIES) });

/** The people behind the website. */
export const PEOPLE: z.ZodType<SitePeople> = strictMapping({
  operator: z.exactOptional(name),
  measuredFrom: z.exactOptional(name),
  contact: z.exactOptional(link),
  source: z.exactOptional(link),
  wrongVerdict: z.exactOptional(link),
  addSite: z.exactOptional(link),
  follow: z.exactOptional(FOLLOW),
});
