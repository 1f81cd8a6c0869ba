import { createHook } from "node:async_hooks";
import { createResolver } from "../../src/probe/network/dns.ts";

// `tsx resolve-script.ts SERVER NAME`: prints the answer and the kinds of handles that Node created, as JSON.
const handles = new Set<string>();
createHook({ init: (_id, type) => void handles.add(type) }).enable();
const [server = "", name = ""] = process.argv.slice(2);
// Longer than any lookup takes.
const TIMEOUT_MS = 60_000;
const resolve = createResolver([server], TIMEOUT_MS);
const answer = await resolve(name, 4, TIMEOUT_MS, new AbortController().signal);
process.stdout.write(JSON.stringify({ answer, handles: [...handles] }));
