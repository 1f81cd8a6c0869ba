/** The people behind the website. Its footer and `/about` name them. */
export interface SitePeople {
  /** Name of a person or an organisation. */
  readonly operator?: string;
  /** http, https or mailto URL. */
  readonly contact?: string;
  /** URL of the source code and its changes. */
  readonly source?: string;
  /** URL for "this verdict is wrong". */
  readonly wrongVerdict?: string;
  /** URL for "add my site". */
  readonly addSite?: string;
}

/** What the operator decides about the website, besides its address. The state keeps the last decision. */
export interface SiteSettings {
  /** Where its forms send reports: null: nowhere, there are none; empty: to the website itself; else the base URL of an intake. */
  readonly reportUrl: string | null;
  /** Whether owners may add their sites; they do it where reports go. */
  readonly isSelfService: boolean;
  readonly people: SitePeople;
}

export const DEFAULT_SITE_SETTINGS: SiteSettings = {
  reportUrl: null,
  isSelfService: false,
  people: {},
};
