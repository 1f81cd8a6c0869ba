import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { groupBy } from "../src/model/lists.ts";
import { type Visitor, visitorShardOf } from "../src/model/monitor/visitor.ts";
import { EMPTY_STATE, type State } from "../src/model/state.ts";
import { MINUTE_MS } from "../src/model/time.ts";
import { makePushKey } from "../src/setup/files/push-key.ts";
import { encodeState } from "../src/state/codec/state.ts";
import { STATE_KEY } from "../src/state/state-file.ts";
import { editVisitorShard } from "../src/state/visitor-shards.ts";
import { createDirectoryStore } from "../src/store/directory.ts";
import { sha256Of } from "../src/http-server/json-api.ts";
import { measureCommand } from "./command.ts";
import { cpuSecondsOf, startHelper } from "./processes.ts";
import type { Section } from "./report.ts";

const BROWSERS = Number(process.env["BENCH_BROWSERS"] ?? 200_000);
const SERVICES = 3;
const LIFE_MS = 30 * MINUTE_MS;
const SLUG = "telegram";
const MB = 1_000_000;
const READY = z.object({ port: z.number(), rootCaPem: z.string() });
const TAKEN = z.object({ messages: z.number(), browsers: z.number(), connections: z.number() });

/** A service fails that all browsers follow, and `notify` tells them, at three services of makers that answer at once. */
export async function benchPush({ folder }: { readonly folder: string }): Promise<Section> {
  const own = join(folder, "push");
  await mkdir(own, { recursive: true });
  const program = fileURLToPath(new URL("push-service.ts", import.meta.url));
  const helper = await startHelper(process.execPath, ["--import", "tsx", program], {
    timeoutMs: LIFE_MS,
  });
  const { stdout, stdin } = helper.child;
  if (stdout === null || stdin === null) throw new Error("the service has no pipes");
  const lines = createInterface({ input: stdout });
  const next = async (): Promise<unknown> => JSON.parse(String((await once(lines, "line"))[0]));
  try {
    const { port, rootCaPem } = READY.parse(await next());
    const [key, roots] = [join(own, "notifier.key"), join(own, "root.pem")];
    await writeFile(key, JSON.stringify(await makePushKey()), { mode: 0o600 });
    await writeFile(roots, rootCaPem);
    const state = join(own, "state");
    await writeState(state);
    const stores = ["--state", `file:${state}`, "--set", `ledger=file:${join(own, "ledger")}`];
    const way = ["--connect-to", `:443:127.0.0.1:${port}`, "--key", key];
    const args = ["notify", ...stores, ...way, "--log", "json"];
    const env = { NODE_EXTRA_CA_CERTS: roots };
    const before = cpuSecondsOf(helper.pid);
    const cost = await measureCommand(args, env);
    const ofService = cpuSecondsOf(helper.pid) - before;
    stdin.write("?\n");
    const taken = TAKEN.parse(await next());
    return {
      title: `Push: ${BROWSERS.toLocaleString("en")} browsers, on the same cores as ${SERVICES} services of their makers`,
      command: "npm run bench -- push",
      figures: [
        { what: "wall", values: [cost.wallMs / 1_000], unit: "s", digits: 1, goal: 120 },
        { what: "CPU", values: [cost.cpuMs / 1_000], unit: "s", digits: 1 },
        { what: "CPU of the services", values: [ofService], unit: "s", digits: 1 },
        { what: "peak memory", values: [cost.peakBytes / MB], unit: "MB", digits: 0 },
      ],
      notes: [
        `Taken: ${taken.messages.toLocaleString("en")} messages for ${taken.browsers.toLocaleString("en")} browsers over ${taken.connections} connections.`,
      ],
    };
  } finally {
    await helper.stop();
  }
}

async function writeState(folder: string): Promise<void> {
  const store = createDirectoryStore(folder, { role: "private" });
  const updatedAtMs = Date.now() - MINUTE_MS;
  const change = {
    seq: 1,
    slug: SLUG,
    atMs: updatedAtMs - 5 * MINUTE_MS,
    before: "ok",
    code: "fail",
    scope: "unknown",
    isSurge: false,
    live: false,
  } as const;
  const state: State = {
    ...EMPTY_STATE,
    baseUrl: "https://status.example.ru",
    history: { ...EMPTY_STATE.history, updatedAtMs },
    verdicts: { codes: new Map([[SLUG, "fail"]]), changes: [change], next: 2 },
  };
  const object = { contentType: "application/gzip", cacheControl: "no-store" };
  await store.write(STATE_KEY, { ...object, body: encodeState(state) });
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  const p256dh = ecdh.getPublicKey("base64url");
  const visitors = Array.from({ length: BROWSERS }, (_, at): Visitor => {
    const endpoint = `https://push${at % SERVICES}.bench.example/send/${at}`;
    return {
      id: sha256Of(endpoint),
      endpoint,
      p256dh,
      auth: randomBytes(16).toString("base64url"),
      tokenHash: sha256Of(String(at)),
      language: "ru",
      services: [SLUG],
      renewedAtMs: updatedAtMs,
    };
  });
  for (const [number, group] of groupBy(visitors, ({ id }) => visitorShardOf(id)))
    await editVisitorShard(
      store,
      number,
      () => new Map(group.map((one) => [one.id, one])),
      async () => undefined,
    );
}
