import { isLoopback } from "../intake/origin.ts";
import type { PreparedIntake } from "./intake-setup.ts";

/**
 * Whose pages may send reports, now that it is known where the intake listens. With `--base-url` those of the website. Without it, those
 * that a browser of this machine opens, if nothing but the loopback is listened on; otherwise only those of `--allow-origin`. The
 * warning says so. Source: docs/intake.md, "Who may ask".
 *
 * @param address that the port of reports is bound to.
 */
export function trustOwnPages(
  intake: PreparedIntake,
  address: string,
): {
  readonly told: PreparedIntake;
  readonly isLoopbackOwn: boolean;
  readonly warning: string | undefined;
} {
  if (intake.settings.ownOrigin !== undefined)
    return { told: intake, isLoopbackOwn: false, warning: undefined };
  const isLoopbackOwn = isLoopback(address);
  const told = { ...intake, settings: { ...intake.settings, isLoopbackOwn } };
  const trusted = isLoopbackOwn
    ? "only pages that a browser of this machine opens at localhost or a loopback address, and those of --allow-origin, may send reports"
    : `no page is known to be ours, for everybody may connect to ${address}: only those of --allow-origin may send reports`;
  const warning = `Without --base-url ${trusted}. All others get 403. Set --base-url to the address of the website.`;
  return { told, isLoopbackOwn, warning };
}
