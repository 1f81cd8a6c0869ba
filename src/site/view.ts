import type { ArchiveState } from "../model/service/archive.ts";
import type { Symptom } from "../model/service/choices.ts";
import type { ToldWith, VerdictChange } from "../model/service/verdict-change.ts";
import type { OutageEntry, PastOutages } from "../model/service/accuracy.ts";
import type { Operator } from "../contract/codes/operator.ts";
import type { Accuracy } from "../contract/accuracy.ts";
import type { Category, Endpoint, Service } from "../model/service/catalogue.ts";
import type { ConnectivityState } from "../model/service/connectivity.ts";
import type { CheckClass, Outage, UnknownReason } from "../model/service/history.ts";
import type { MonitorWarning, UptimeCount, UptimeWindow } from "../model/monitor/monitor.ts";
import type { ClaimBasis, CutBy, Scope } from "../model/service/interference.ts";
import type { FailureCode, Stage } from "../model/failures.ts";
import type { OperatorSums, ReportCounts } from "../model/service/reports.ts";
import type { SiteSettings } from "../model/site-settings.ts";
import type { UptimeGrade } from "../model/monitor/pictures.ts";
import type { Vantage } from "../model/service/vantage.ts";
import type { MonitorCondition } from "../model/monitor/uptime.ts";
import type { Verdict } from "../contract/codes/verdict.ts";

/** Where the website is served, and what its operator decided about it: every page has something of both. */
export interface SiteAddress extends SiteSettings {
  /** `https://status.example.ru`, without a slash at its end. */
  readonly origin: string;
  /** Path before all pages, without a slash at its end: empty, or `/status`. */
  readonly root: string;
  /** The calendar year in Moscow of the publication, which moments of that year omit. Absent: none omits its year. */
  readonly year?: number;
}

/** Result of the last check of one endpoint. `unknown`: not checked yet. */
export type EndpointStatus =
  | {
      readonly kind: "ok";
      readonly isFlaky: boolean;
      readonly isUnverified: boolean;
      /** Name of what has answered in place of the service. */
      readonly wall?: string;
    }
  | { readonly kind: "denied" | "skipped" | "unknown" }
  | {
      readonly kind: "failed";
      readonly stage: Stage;
      readonly code: FailureCode;
      readonly httpStatus?: number;
      /** What the experiment showed; absent: nothing, or there was none. */
      readonly cutBy?: Exclude<CutBy, "unknown">;
    }
  /** It failed, and most other places in Moscow found that it opens; or a browser opens it. */
  | { readonly kind: "elsewhere" | "only-browsers" }
  /** It answered, and a browser gets nothing; or it fails on the lines of subscribers. */
  | { readonly kind: "not-browsers" | "not-at-home" }
  /** It was silent, which may be its owner's refusal of data centres. */
  | { readonly kind: "refused" };

export interface EndpointView extends Pick<Endpoint, "url" | "what" | "whatRu" | "isCritical"> {
  readonly status: EndpointStatus;
  /** Whether it opens for a client with the ClientHello of a browser. Absent: that was not asked. */
  readonly isBrowserServed?: boolean;
  /** Per clock half hour, 48 of them; the last one is the current one. */
  readonly halfHours: readonly StripCell[];
}

/** Whether a service opens in one place, by its critical endpoints. `silent`: no recent answer of that place. */
export type PlaceStatus =
  | "opens"
  | "fails"
  | "no-browsers"
  | "denied"
  | "unknown"
  | "silent"
  | "white-list";

/** One place from which a service is probed. */
export interface PlaceView extends Pick<Vantage, "kind" | "country" | "network" | "asn"> {
  readonly status: PlaceStatus;
  /** Of the first critical endpoint that fails. */
  readonly code?: FailureCode;
  /** It usually works there, so that its failure means something. */
  readonly isCalibrated: boolean;
  /** When the place was heard last, if it is silent now. */
  readonly heardAtMs: number | null;
}

/** Where a service fails, and where it opens. */
export interface ScopeView {
  readonly scope: Scope;
  /** Blocking is claimed by experiments. */
  readonly isClaimed: boolean;
  /** What the claim rests on; absent: nothing is claimed, or the failure was not looked at again. */
  readonly basis?: Pick<ClaimBasis, "by" | "networks">;
  readonly places: readonly PlaceView[];
}

/** The worst check class in a period, `minor` for an outage that was short for it; null: no check in it. */
export type StripCell = CheckClass | "minor" | null;

/** One of the last outages of a service, or failures of a monitor. A monitor has one address. */
export interface OutageView extends Omit<Outage, "isSinceExact"> {
  /** Of its page, without the language, if it has one. */
  readonly path?: string;
}

/**
 * Everything that the page of one service shows. It holds no time that changes with each run, so an unchanged service keeps the
 * same page: the time of the last run is a separate document. Series are oldest first and end with the present.
 */
export interface ServiceView extends Omit<Service, "category" | "endpoints" | "isAbroad"> {
  readonly category: Category;
  readonly verdict: Verdict;
  readonly reports: ReportCounts;
  /** Why nothing is known of it, if its verdict is `none`; null: it is known, or no run has looked. */
  readonly unknown: UnknownReason | null;
  /** Time of the last check of this service if it is too old for a verdict, or not of the last run; null: it is, or there was none. */
  readonly staleCheckMs: number | null;
  readonly endpoints: readonly EndpointView[];
  readonly scope: ScopeView;
  /** Reports per clock hour, 24 hours; the last one is the current hour. */
  readonly reportHours: readonly number[];
  /** Reports that are usual in each of these hours, rounded; empty without a history to tell it from. */
  readonly usualReports: readonly number[];
  readonly operators: OperatorSums;
  /** Reports of the last 24 hours that named a symptom, most frequent first. */
  readonly symptoms: readonly (readonly [Symptom, number])[];
  /** Per clock half hour, 48 of them; the last one is the current one. */
  readonly halfHours: readonly StripCell[];
  /** Per UTC day, 90 days; the last one is today. */
  readonly days: readonly StripCell[];
  readonly uptimes: Readonly<Record<UptimeWindow, UptimeGrade>>;
  readonly outages: readonly OutageView[];
  /** How long its outages have lasted; null: too few are known. */
  readonly past: PastOutages | null;
  /** How long they had lasted, or those of its category, when the failure that lasts was told; null: it works, or too few were known. */
  readonly pastWhenTold: PastOutages | null;
  /** At most twelve, the newest first. */
  readonly months: readonly MonthView[];
  /** Median response time of the first critical endpoint in each complete clock hour, milliseconds, 24 hours; null: none. */
  readonly responseMs: readonly (number | null)[];
}

/** The ended days of a month, `YYYY-MM` in UTC. */
export interface MonthView {
  readonly month: string;
  /** Null: no check. */
  readonly uptime: UptimeGrade["value"];
  readonly outages: number;
}

/** Names of a service, and the path of the page of one of its outages, without the language. */
export interface OutageLink extends Pick<Service, "slug" | "name" | "nameEn"> {
  readonly path: string;
}

/** Everything that the page of one outage shows. */
export interface OutagePageView
  extends
    OutageLink,
    Pick<
      OutageEntry,
      "toldAtMs" | "endedAtMs" | "isEndUnseen" | "isReported" | "about" | "corrections"
    > {
  /** Others that began with it. */
  readonly together: readonly OutageLink[];
  /** Id of the category of the service. */
  readonly category: string;
  /** Key of its document. */
  readonly dataKey: string;
}

/** The outages that pages list, the newest first, with the categories of the catalogue. */
export interface OutageListView {
  readonly outages: readonly OutagePageView[];
  readonly categories: readonly Category[];
  /** Days in Moscow, `YYYY-MM-DD`, that have a page. */
  readonly days: ReadonlySet<string>;
  readonly months: readonly MonthView[];
}

/** Everything that the page of one monitor shows. */
export interface MonitorView {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Of a monitor that its owner has added. Search engines do not get the page of a young one. */
  readonly owner?: { readonly isYoung: boolean };
  readonly condition: MonitorCondition;
  /** Start of the condition; null before the first check. */
  readonly sinceMs: number | null;
  /** Of the last failure, if the condition is failing or refused. */
  readonly code?: FailureCode;
  /** Of the last check, if the condition is healthy. */
  readonly warning?: MonitorWarning;
  readonly uptimes: Readonly<Record<UptimeWindow, UptimeCount>>;
  readonly outages: readonly OutageView[];
  /** Per UTC day, 90 days, the last one is today; null: no decided check. */
  readonly days: readonly (MonitorDayView | null)[];
  /** Response time per clock hour, milliseconds, 24 hours, the last one complete or current; null: none. */
  readonly responseMs: readonly (number | null)[];
}

/** How bad a day of a monitor was. Coarse steps, so that the current day does not change with each run. */
export type MonitorDayView = "whole" | "minor" | "major";

/** One change of a verdict. */
export interface ChangeView
  extends
    Pick<Service, "slug" | "name" | "nameEn">,
    ToldWith,
    Pick<VerdictChange, "atMs" | "before" | "code"> {
  /** Of the page of the outage that it belongs to, without the language, if there is one. */
  readonly path?: string;
}

/** The published archive, newest first: complete days and months alone, so it changes once a day. */
export type ArchiveView = Pick<ArchiveState, "days" | "months">;

/** Services that one network makes slow, or the way to it. */
export interface SlowNetworkView {
  /** As people know it. */
  readonly network: string;
  readonly services: readonly Pick<ServiceView, "slug" | "name" | "nameEn">[];
}

/** The input of all pages, from the same snapshot as the documents. */
export interface SiteView {
  readonly address: SiteAddress;
  readonly categories: readonly Category[];
  readonly services: readonly ServiceView[];
  readonly changes: readonly ChangeView[];
  /** The pages of outages of the last 31 days, and of these days, without the language. */
  readonly outagePaths: readonly string[];
  readonly archive: ArchiveView;
  /** Problem with the runner's own network in the last run; null: none, or that run is too old. */
  readonly connectivityIssue: ConnectivityIssue | null;
  /** Mobile networks that let only listed sites through now. */
  readonly whiteLists: readonly string[];
  /** Networks of which half of the services or more are slow together. */
  readonly slowNetworks: readonly SlowNetworkView[];
  /** Operators whose subscribers alone report several services, and how many. */
  readonly failingOperators: readonly { readonly operator: Operator; readonly services: number }[];
  readonly accuracy: Accuracy;
}

/** What the pages of services have beside the service. */
export interface ServicePageView extends Pick<
  SiteView,
  "connectivityIssue" | "whiteLists" | "slowNetworks" | "failingOperators"
> {
  /** For whether anything was ever checked, and nothing else. */
  readonly services: readonly Pick<ServiceView, "verdict">[];
}

/** A connectivity state that pages mention. */
export type ConnectivityIssue = Exclude<ConnectivityState, "fine" | "offline">;
