import * as z from "zod";
import type { Stored } from "./stored-parts.ts";

const text = z.exactOptional(z.string());

/** Channels in which an operator's notifier tells of changes: https URLs. */
const channelLinks = z.strictObject({ telegram: text, max: text });

/** Where visitors can follow services. */
const followLinks = channelLinks.extend({
  /** By id of a category: channels that tell of its services only. */
  categories: z.exactOptional(z.record(z.string(), channelLinks)),
});

const people = z.strictObject({
  /** Name of a person or an organisation. */
  operator: text,
  /** Where the runner is, if not in Moscow: every page says so. */
  measuredFrom: text,
  /** http, https or mailto URL. */
  contact: text,
  /** URL of the source code and its changes. */
  source: text,
  wrongVerdict: text,
  addSite: text,
  follow: z.exactOptional(followLinks),
});

/** The people behind the website. Its footer and `/about` name them. */
export type SitePeople = Stored<typeof people>;

export const SITE_SETTINGS = z.strictObject({
  /** Where its forms send reports: null: nowhere, there are none; empty: to the website itself; else the base URL of an intake. */
  reportUrl: z.string().nullable(),
  /** Whether owners may add their sites; they do it where reports go. */
  isSelfService: z.boolean(),
  people,
  /** Public key of the notifier that tells browsers of changes, base64url; null: there is none. */
  pushKey: z.string().nullable(),
});

/** What the operator decides about the website, besides its address. The state keeps the last decision. */
export type SiteSettings = Stored<typeof SITE_SETTINGS>;

export const DEFAULT_SITE_SETTINGS: SiteSettings = {
  reportUrl: null,
  isSelfService: false,
  people: {},
  pushKey: null,
};
