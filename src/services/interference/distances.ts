/**
 * Kilometres that a country is away from Moscow at least: 95 % of the great circle to its nearest town or cape, rounded down. A country that
 * is absent proves nothing.
 */
const KM_FROM_MOSCOW: Readonly<Record<string, number>> = {
  AE: 3_400,
  AM: 1_550,
  AT: 1_500,
  AU: 11_300,
  AZ: 1_550,
  BE: 2_000,
  BG: 1_400,
  BR: 9_500,
  CA: 3_850,
  CH: 2_000,
  CZ: 1_350,
  DE: 1_450,
  DK: 1_300,
  EE: 550,
  ES: 2_700,
  FI: 800,
  FR: 2_000,
  GB: 2_200,
  GE: 1_300,
  HK: 6_750,
  IE: 2_600,
  IL: 2_350,
  IN: 3_550,
  IT: 1_800,
  JP: 6_350,
  KZ: 700,
  LT: 650,
  LV: 550,
  MD: 900,
  NL: 1_850,
  NO: 1_550,
  PL: 900,
  RO: 1_050,
  RS: 1_500,
  SE: 1_050,
  SG: 8_000,
  TR: 1_500,
  US: 5_500,
};

/** Light in glass covers so much in a millisecond, there and back. */
const KM_PER_MS = 100;

/**
 * Whether an address is one server for all: two places cannot both be nearer to it than they are to each other. False: it is many servers
 * under one address (anycast). Undefined: the times prove nothing, as of a country that is not in the table.
 *
 * @param runnerMs and elsewhereMs the times in which connections from Moscow and from the country were accepted.
 */
export function isUnicast(
  country: string,
  runnerMs: number | undefined,
  elsewhereMs: number | undefined,
): boolean | undefined {
  const km = KM_FROM_MOSCOW[country];
  if (km === undefined || runnerMs === undefined || elsewhereMs === undefined) return undefined;
  return (runnerMs + elsewhereMs) * KM_PER_MS >= km;
}
