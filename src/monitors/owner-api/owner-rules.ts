import { isPublicSuffix } from "../../model/registrable-domain.ts";
import type { MonitorRules } from "../registry/registry-schema.ts";

/**
 * Which URLs owners may add: those of all monitors, but for hosts that no one owner has. `ownOrigin` is that of this service, whose pages show
 * texts of owners. Pure.
 */
export function rulesForOwners(rules: MonitorRules, ownOrigin: string | undefined): MonitorRules {
  const ownHost = ownOrigin === undefined ? undefined : new URL(ownOrigin).hostname;
  return {
    refusalOfUrl: (url) => {
      if (url.hostname === ownHost) return "is this service itself; it cannot watch itself";
      if (isPublicSuffix(url.hostname))
        return "does not belong to one owner: others register names below it";
      return rules.refusalOfUrl(url);
    },
  };
}
