import { isLoopback } from "../http-server/cors-origin.ts";
import type { PreparedIntake } from "./intake-setup.ts";

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
