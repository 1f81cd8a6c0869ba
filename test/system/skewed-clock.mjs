/*
 * Loaded into a program with `--import`: makes its `Date`, which is used for signatures, wrong by SKEW_MINUTES. System clocks are
 * unchanged.
 */
const skewMs = Number(process.env["SKEW_MINUTES"]) * 60_000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RealDate.now() + skewMs] : parts));
  }

  static now() {
    return RealDate.now() + skewMs;
  }
};
