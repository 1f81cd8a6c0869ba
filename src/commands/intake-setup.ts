import { readProxies } from "../intake/client-address.ts";
import type { IntakeSettings } from "../intake/open-intake.ts";
import { pagesBelow } from "../intake/page.ts";
import type { ReleaseFlags } from "./io.ts";
import { type ReadyRelease, readRelease } from "./release-setup.ts";
import { type Checklist, ifGiven, parseBaseUrl, parseLogMode, type Parsed } from "./settings.ts";

/** What an intake is told, wherever it is mounted. */
export interface IntakeFlags extends ReleaseFlags {
  readonly proxy?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly journal?: string;
}

/** An intake that is checked and can be opened. */
export interface PreparedIntake {
  readonly ready: ReadyRelease;
  /** For the thread that publishes, which reads them itself. */
  readonly flags: ReleaseFlags;
  readonly settings: Pick<
    IntakeSettings,
    "proxies" | "allowedOrigins" | "ownOrigin" | "isLoopbackOwn" | "pageOf"
  > & {
    readonly journal?: { readonly folder: string };
  };
}

/** Reads what an intake is told, noting every problem. */
export async function prepareIntake(
  flags: IntakeFlags,
  checklist: Checklist,
): Promise<PreparedIntake | undefined> {
  const { take } = checklist;
  const { ready } = await readRelease(flags, checklist);
  const baseUrl = take(ifGiven(flags.baseUrl, parseBaseUrl));
  const proxies = take(parseProxies(flags.proxy ?? []));
  const allowedOrigins = take(parseOrigins(flags.allowOrigin ?? []));
  take(ifGiven(flags.log, parseLogMode));
  if (ready === undefined || proxies === undefined || allowedOrigins === undefined)
    return undefined;
  return {
    ready,
    flags,
    settings: {
      proxies,
      allowedOrigins,
      ...(baseUrl === undefined ? {} : ofWebsite(new URL(baseUrl))),
      ...(flags.journal === undefined ? {} : { journal: { folder: flags.journal } }),
    },
  };
}

/** What follows from where the website is: who its pages are, and where a plain form leads back to. */
function ofWebsite({ origin, pathname }: URL): Pick<IntakeSettings, "ownOrigin" | "pageOf"> {
  return { ownOrigin: origin, pageOf: pagesBelow(pathname.replace(/\/+$/u, "")) };
}

function parseProxies(ranges: readonly string[]): Parsed<PreparedIntake["settings"]["proxies"]> {
  const read = readProxies(ranges);
  return read.kind === "ok" ? { value: read.proxies } : { problem: `--proxy ${read.message}` };
}

function parseOrigins(origins: readonly string[]): Parsed<readonly string[]> {
  const odd = origins.find((one) => !URL.canParse(one) || new URL(one).origin !== one);
  return odd === undefined
    ? { value: origins }
    : {
        problem: `--allow-origin ${odd}: write an origin such as https://example.ru, without a path.`,
      };
}
