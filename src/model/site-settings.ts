/** Channels in which an operator's notifier tells of changes. */
export interface ChannelLinks {
  /** https URL. */
  readonly telegram?: string;
  /** https URL. */
  readonly max?: string;
}

/** Where visitors can follow services. */
export interface FollowLinks extends ChannelLinks {
  /** By id of a category: channels that tell of its services only. */
  readonly categories?: Readonly<Record<string, ChannelLinks>>;
}

/** The people behind the website. Its footer and `/about` name them. */
export interface SitePeople {
  /** Name of a person or an organisation. */
  readonly operator?: string;
  /** http, https or mailto URL. */
  readonly contact?: string;
  /** URL of the source code and its changes. */
  readonly source?: string;
  readonly wrongVerdict?: string;
  readonly addSite?: string;
  readonly follow?: FollowLinks;
}

/** What the operator decides about the website, besides its address. The state keeps the last decision. */
export interface SiteSettings {
  /** Where its forms send reports: null: nowhere, there are none; empty: to the website itself; else the base URL of an intake. */
  readonly reportUrl: string | null;
  /** Whether owners may add their sites; they do it where reports go. */
  readonly isSelfService: boolean;
  readonly people: SitePeople;
  /** Public key of the notifier that tells browsers of changes, base64url; null: there is none. */
  readonly pushKey: string | null;
}

export const DEFAULT_SITE_SETTINGS: SiteSettings = {
  reportUrl: null,
  isSelfService: false,
  people: {},
  pushKey: null,
};
