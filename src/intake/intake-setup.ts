import { readProxies } from "../http-server/client-address.ts";
import { isLoopback } from "../http-server/cors-origin.ts";
import type { IntakeSettings } from "../reports/intake/create-intake.ts";
import { pagesBelow } from "../reports/intake/responses.ts";
import type { AlertSettings } from "../monitors/owner-api/owner-record.ts";
import type { MonitorRules } from "../monitors/registry/registry-schema.ts";
import type { ProbeConfig } from "../probe/probe-config.ts";
import type { Io, PublishFlags } from "../setup/io.ts";
import {
  type PublishSettings,
  readMonitorRules,
  readPublishSettings,
} from "../setup/publish-settings.ts";
import { parseAlertsKey } from "../setup/files/push-key.ts";
import { type ProbeFlags, readProbeConfig } from "../setup/read-probe-config.ts";
import {
  type ProblemCollector,
  ifGiven,
  parseBaseUrl,
  parseLogMode,
  type Parsed,
} from "../setup/parse-options.ts";

/** Options of an intake, in `intake` and in `serve`. */
export interface IntakeFlags extends PublishFlags, ProbeFlags {
  readonly host: string;
  readonly port: string;
  readonly proxy?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly journal?: string;
}

export interface PreparedIntake {
  readonly ready: PublishSettings;
  /** For looks for proofs. */
  readonly probe: ProbeConfig;
  /** Which URLs owners may add. */
  readonly rules: MonitorRules;
  /** Absent: owners cannot be told of failures. */
  readonly alerts?: AlertSettings;
  /** For the publishing thread, which parses them itself. */
  readonly flags: PublishFlags;
  readonly settings: Pick<
    IntakeSettings,
    "proxies" | "allowedOrigins" | "ownOrigin" | "isLoopbackOwn" | "pageOf"
  > & {
    readonly journal?: { readonly folder: string };
  };
}

/** Parses the options of an intake and adds every problem to the collector. */
export async function prepareIntake(
  given: IntakeFlags,
  io: Pick<Io, "env" | "setEnv">,
  collector: ProblemCollector,
): Promise<PreparedIntake | undefined> {
  // Where reports are accepted, the pages may ask for them.
  const flags = { reports: "on", ...given };
  const { unwrap } = collector;
  const { ready } = await readPublishSettings(flags, collector);
  const probe = unwrap(await readProbeConfig(flags, io));
  const rules = unwrap(readMonitorRules(flags));
  const baseUrl = unwrap(ifGiven(flags.baseUrl, parseBaseUrl));
  const proxies = unwrap(parseProxies(flags.proxy ?? []));
  const allowedOrigins = unwrap(parseOrigins(flags.allowOrigin ?? []));
  const pushKey = unwrap(ifGiven(flags.alertsKey, parseAlertsKey))?.key ?? undefined;
  unwrap(ifGiven(flags.log, parseLogMode));
  if (!ready || !probe || !rules || !proxies || !allowedOrigins) return undefined;
  return {
    ready,
    probe,
    rules,
    // Addresses inside, which tests and demos have, are reached without certificates.
    ...(pushKey === undefined
      ? {}
      : { alerts: { pushKey, isPlainAllowed: probe.allowPrivate.length > 0 } }),
    flags,
    settings: {
      proxies,
      allowedOrigins,
      ...(baseUrl === undefined ? {} : ofWebsite(new URL(baseUrl))),
      ...(flags.journal === undefined ? {} : { journal: { folder: flags.journal } }),
    },
  };
}

/** The origin of our pages, and the page to which a plain form redirects. */
function ofWebsite({ origin, pathname }: URL): Pick<IntakeSettings, "ownOrigin" | "pageOf"> {
  return { ownOrigin: origin, pageOf: pagesBelow(pathname.replace(/\/+$/u, "")) };
}

/**
 * Decides whose pages may send reports, in addition to those of `--allow-origin`: with `--base-url` those of the website; without it, on
 * the loopback, those that a browser of this machine opens; otherwise none. Source: docs/reports/intake.md, "Who may ask".
 *
 * @param address that the port for reports is bound to.
 */
export function trustOwnPages(
  intake: PreparedIntake,
  address: string,
): {
  readonly configured: PreparedIntake;
  readonly isLoopbackOwn: boolean;
  readonly warning: string | undefined;
} {
  if (intake.settings.ownOrigin !== undefined)
    return { configured: intake, isLoopbackOwn: false, warning: undefined };
  const isLoopbackOwn = isLoopback(address);
  const configured = { ...intake, settings: { ...intake.settings, isLoopbackOwn } };
  const trusted = isLoopbackOwn
    ? "only pages that a browser of this machine opens at localhost or a loopback address, and those of --allow-origin, may send reports"
    : `no page is known to be ours, because every client may connect to ${address}: only those of --allow-origin may send reports`;
  const warning = `Without --base-url ${trusted}. All others get 403. Set --base-url to the address of the website.`;
  return { configured, isLoopbackOwn, warning };
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
