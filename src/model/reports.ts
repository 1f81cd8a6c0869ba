/** User reports about one service, as of the time of publishing. */
export interface ReportCounts {
  /** Reports in the last hour. */
  readonly hour: number;
  /** Reports in the last 24 hours. */
  readonly day: number;
  /** Whether a statistically sharp increase is on. */
  readonly isSurging: boolean;
}

/** By slug; a service that is absent has no reports. */
export type Reports = ReadonlyMap<string, ReportCounts>;

export const NO_REPORTS: ReportCounts = { hour: 0, day: 0, isSurging: false };
