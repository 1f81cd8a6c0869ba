import type { RunDependencies } from "../run.ts";
import { locationsOverlap, parseLocation } from "../store/location.ts";
import { openStore } from "../store/open.ts";
import type { Parsed } from "./settings.ts";

/** Whether strangers read a store, so that its website needs an address of its own. A reader of a folder uses `serve`. */
export function needsAddress(storeUrl: string): boolean {
  return parseLocation(storeUrl).kind === "s3";
}

/** The two stores of a run, or every problem with their URLs. Touches neither disk nor network. */
export async function openStores(
  storeUrl: string,
  stateUrl: string,
): Promise<Parsed<Pick<RunDependencies, "publicStore" | "stateStore" | "mustLook">>> {
  if (locationsOverlap(storeUrl, stateUrl)) {
    return {
      problem: `--store ${storeUrl} and --state ${stateUrl} overlap: the state is private, give it a place of its own.`,
    };
  }
  const mustLook = parseLocation(storeUrl).kind === "directory";
  const publicStore = await openStore(storeUrl, { role: "public" });
  const stateStore = await openStore(stateUrl, { role: "private" });
  if (publicStore.kind === "refused" || stateStore.kind === "refused") {
    const refused = [publicStore, stateStore].filter((one) => one.kind === "refused");
    return { problem: refused.map(({ message }) => message).join("\n") };
  }
  return {
    value: { publicStore: publicStore.store, stateStore: stateStore.store, mustLook },
  };
}
