import type { ObjectStore } from "../model/store.ts";
import { locationsOverlap, parseLocation } from "../store/location.ts";
import { openStore } from "../store/open.ts";
import type { Flags } from "./options/options.ts";
import type { StoreRole } from "../store/store-error.ts";

/** Whether a website in this store needs an explicit base URL. A folder is read by `serve`, whose URL is known. */
export function needsAddress(storeUrl: string): boolean {
  return parseLocation(storeUrl).kind === "s3";
}

/** The store of a URL that the options have accepted. Uses neither disk nor network. */
export async function openChecked(url: string, role: StoreRole): Promise<ObjectStore> {
  const opened = await openStore(url, { role });
  if (opened.kind === "refused") throw new TypeError(opened.message);
  return opened.store;
}

/** Opens the stores of documents and of state. Uses neither disk nor network. */
export async function openStores({ store, state }: Flags<"store" | "state">) {
  if (locationsOverlap(store, state)) {
    const problem = `--store ${store} and --state ${state} overlap: the state is private, keep it elsewhere.`;
    return { problem };
  }
  return {
    value: {
      publicStore: await openChecked(store, "public"),
      stateStore: await openChecked(state, "private"),
      mustVerify: parseLocation(store).kind === "directory",
    },
  };
}
