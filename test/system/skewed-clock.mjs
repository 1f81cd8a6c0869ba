/*
 * Loaded with `--import` before a program: its clock is then wrong by SKEW_MINUTES. Only what a program can see of the time
 * is changed, which is what a request is signed with.
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
