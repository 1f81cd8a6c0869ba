import { readProxies } from "../http-server/client-address.ts";
import { isLoopback } from "../http-server/cors-origin.ts";
import type { IntakeSettings } from "../reports/intake/create-intake.ts";
import type { Io } from "../setup/io.ts";
import { readMonitorRules, readPublishSettings } from "../setup/publish-settings.ts";
import { readOperators } from "../setup/files/named-files.ts";
import { readProbeConfig } from "../setup/read-probe-config.ts";
import type { ProblemCollector } from "../setup/parse-options.ts";
import type { IntakeFlags } from "../setup/options/options.ts";

export type PreparedIntake = Awaited<ReturnType<typeof prepareIntake>>;

/** Reads what the options of an intake name. Throws one `UsageError` with every problem. */
export async function prepareIntake(
  given: IntakeFlags,
  problems: ProblemCollector,
  io: Pick<Io, "env" | "setEnv">,
) {
  // Where reports are accepted, the pages may ask for them. A settings file decides for the runs as well.
  const { reportUrl = given.settings === undefined ? "" : null } = given;
  const flags = { ...given, reportUrl };
  const { baseUrl, journal, pushKey } = flags;
  const publishing = await readPublishSettings(flags, problems);
  const { probe } = problems.settle({ probe: await readProbeConfig(flags, io) });
  return {
    ready: publishing.ready(),
    /** For looks for proofs. */
    probe,
    /** Which URLs owners may add. */
    rules: readMonitorRules(flags),
    // Without it, owners cannot be told of failures. Addresses inside, which tests and demos have, are reached without certificates.
    ...(pushKey === undefined || pushKey === null
      ? {}
      : { alerts: { pushKey, isPlainAllowed: probe.allowPrivate.length > 0 } }),
    /** For the publishing thread, which reads the files itself. */
    flags,
    settings: {
      isLoopbackOwn: false,
      proxies: proxiesIn(flags.proxy),
      operatorOf: await readOperators(),
      allowedOrigins: flags.allowOrigin,
      ...(baseUrl === undefined ? {} : ofWebsite(new URL(baseUrl))),
      ...(journal === undefined ? {} : { journal: { folder: journal } }),
    },
  };
}

function ofWebsite({ origin, pathname }: URL): Pick<IntakeSettings, "ownOrigin" | "root"> {
  return { ownOrigin: origin, root: pathname.replace(/\/+$/u, "") };
}

/**
 * Decides whose pages may send reports, in addition to those of `allowOrigin`: with `--base-url` those of the website; without it, on
 * the loopback, those that a browser of this machine opens; otherwise none. Source: docs/reports/intake.md, "Who may ask".
 *
 * @param address that the port for reports is bound to.
 */
export function trustOwnPages(intake: PreparedIntake, address: string) {
  if (intake.settings.ownOrigin !== undefined)
    return { configured: intake, isLoopbackOwn: false, warning: undefined };
  const isLoopbackOwn = isLoopback(address);
  const configured = { ...intake, settings: { ...intake.settings, isLoopbackOwn } };
  const trusted = isLoopbackOwn
    ? "only pages that a browser of this machine opens at localhost or a loopback address, and those of allowOrigin, may send reports"
    : `no page is known to be ours, because every client may connect to ${address}: only those of allowOrigin may send reports`;
  const warning = `Without --base-url ${trusted}. All others get 403. Set --base-url to the address of the website.`;
  return { configured, isLoopbackOwn, warning };
}

function proxiesIn(ranges: readonly string[]) {
  const read = readProxies(ranges);
  if (read.kind !== "ok") throw new TypeError(read.message);
  return read.proxies;
}
