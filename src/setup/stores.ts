import type { RunDependencies } from "../pipeline/run/run.ts";
import { locationsOverlap, parseLocation } from "../store/location.ts";
import { openStore } from "../store/open.ts";
import type { Parsed } from "./parse-options.ts";

/** Whether a website in this store needs an explicit base URL. A folder is read by `serve`, whose URL is known. */
export function needsAddress(storeUrl: string): boolean {
  return parseLocation(storeUrl).kind === "s3";
}

/** Opens both stores. Returns every problem with their URLs. Uses neither disk nor network. */
export async function openStores(
  storeUrl: string,
  stateUrl: string,
): Promise<Parsed<Pick<RunDependencies, "publicStore" | "stateStore" | "mustVerify">>> {
  if (locationsOverlap(storeUrl, stateUrl)) {
    return {
      problem: `--store ${storeUrl} and --state ${stateUrl} overlap: the state is private, keep it elsewhere.`,
    };
  }
  const mustVerify = parseLocation(storeUrl).kind === "directory";
  const publicStore = await openStore(storeUrl, { role: "public" });
  const stateStore = await openStore(stateUrl, { role: "private" });
  if (publicStore.kind === "refused" || stateStore.kind === "refused") {
    const refused = [publicStore, stateStore].filter((one) => one.kind === "refused");
    return { problem: refused.map(({ message }) => message).join("\n") };
  }
  return {
    value: { publicStore: publicStore.store, stateStore: stateStore.store, mustVerify },
  };
}
