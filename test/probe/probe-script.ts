import { createHook } from "node:async_hooks";
import { createProbe } from "../../src/probe/probe.ts";
import { createTrustRoots } from "../../src/probe/network/tls.ts";
import type { InternetAddresses } from "../simulated-internet/simulated-internet.ts";
import { NEVER, dependenciesFor, wordFor } from "./harness.ts";

// `tsx probe-script.ts INTERNET URL`: prints the outcome of a probe in this process, with Node's own trusted roots,
// the kinds of handles that Node created, and how many timers are left. INTERNET is `InternetAddresses` as JSON.
const handles = new Set<string>();
createHook({ init: (_id, type) => void handles.add(type) }).enable();
const [json = "", url = ""] = process.argv.slice(2);
const internet = JSON.parse(json) as InternetAddresses;
const probe = createProbe({ ...dependenciesFor(internet), roots: createTrustRoots([], []) });
const outcome = await probe({ url, trust: "public" }, 0, NEVER);
const timers = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
process.stdout.write(
  JSON.stringify({ word: wordFor(outcome), outcome, handles: [...handles], timers }),
);
