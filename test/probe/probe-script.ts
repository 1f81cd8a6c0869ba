import { createHook } from "node:async_hooks";
import { createProbe } from "../../src/probe/probe.ts";
import { createTrustRoots } from "../../src/probe/tls.ts";
import type { WorldAddresses } from "../world/world.ts";
import { NEVER, dependenciesFor, wordFor } from "./lab.ts";

// `tsx probe-script.ts WORLD URL`: prints how a probe in this process ended, with the roots that Node itself trusts,
// and the kinds of handles that Node made for it. WORLD is `WorldAddresses` as JSON.
const handles = new Set<string>();
createHook({ init: (_id, type) => void handles.add(type) }).enable();
const [json = "", url = ""] = process.argv.slice(2);
const world = JSON.parse(json) as WorldAddresses;
const probe = createProbe({ ...dependenciesFor(world), roots: createTrustRoots([], []) });
const outcome = await probe({ url, trust: "public" }, 0, NEVER);
process.stdout.write(JSON.stringify({ word: wordFor(outcome), outcome, handles: [...handles] }));
