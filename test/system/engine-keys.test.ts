import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventsNamed, until } from "../cli/cli.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import type { Workspace } from "../cli/workspace.ts";
import { PATIENCE_MS } from "../patience.ts";
import { makeEngineKey } from "../../src/engine/connection.ts";
import { runThrough, startWorker, writeMonitors } from "./engine-harness.ts";
import { getFrontCertificate } from "./front-certificate.ts";
import { type NatsServer, startNats } from "./nats.ts";

const { workspace, internet } = useCliFixture();

const SHIPPED = fileURLToPath(new URL("../../deploy/nats.conf", import.meta.url));
const KEYS = { publisher: makeEngineKey(), main: makeEngineKey(), spb: makeEngineKey() };
type Holder = keyof typeof KEYS;

/** The shipped file, with the keys and a second vantage, and without what is said for every server of the tests. */
async function configure(change: (text: string) => string = (text) => text): Promise<string> {
  const text = change(await readFile(SHIPPED, "utf8"))
    .replace(/^listen:.*$/mu, "")
    .replace(/^jetstream \{[^}]*\}$/mu, "")
    .replace("UPUBLISHER", KEYS.publisher.publicKey);
  const [, block = ""] = /(\n {4}\{\n {6}nkey: "UWORKERMAIN"[\s\S]*?\n {4}\})/u.exec(text) ?? [];
  const second = block.replaceAll("main", "spb").replace("UWORKERMAIN", KEYS.spb.publicKey);
  return text.replace(block, `${block}${second}`).replace("UWORKERMAIN", KEYS.main.publicKey);
}

const servers: NatsServer[] = [];
async function start(text: string): Promise<NatsServer> {
  const server = await startNats(text, await getFrontCertificate());
  servers.push(server);
  return server;
}

let server: NatsServer;
beforeAll(async () => {
  server = await start(await configure());
}, PATIENCE_MS);
afterAll(() => Promise.all(servers.map((one) => one.close())));

/** A workspace with the keys, whose programs trust the server. */
async function open(): Promise<{ one: Workspace; env: Readonly<Record<string, string>> }> {
  const one = await workspace();
  const { certificatePem } = await getFrontCertificate();
  const roots = [await readFile(internet().rootCaFile, "utf8"), certificatePem];
  await writeFile(join(one.folder, "roots.pem"), roots.join("\n"));
  for (const [name, { seed }] of Object.entries(KEYS))
    await writeFile(join(one.folder, `${name}.seed`), `${seed}\n`);
  return { one, env: { NODE_EXTRA_CA_CERTS: join(one.folder, "roots.pem") } };
}

const as = (name: Holder): readonly string[] => ["--set", `engineCredentials=${name}.seed`];

interface EngineCheck {
  readonly name: string;
  readonly result: string;
  readonly detail: string;
}

async function doctor(at: NatsServer, ...more: readonly string[]): Promise<readonly EngineCheck[]> {
  const { one, env } = await open();
  const engine = ["--set", `engine=${at.url}`, ...more];
  const catalogue = ["--catalogue", "catalogue.json", "--connect-to", "@hosts.txt"];
  const { stdout } = await one.program(["doctor", ...catalogue, "--json", ...engine], env);
  const checks = JSON.parse(stdout) as readonly EngineCheck[];
  return checks.filter(({ name }) => name.startsWith("engine"));
}

const notOk = (checks: readonly EngineCheck[]): readonly string[] =>
  checks.filter(({ result }) => result !== "ok").map(({ name, detail }) => `${name}: ${detail}`);

test("two vantages with keys of their own check for one publisher", async () => {
  const { one, env } = await open();
  await writeMonitors(one, 6);
  await one.set("m3", { kind: "page", status: 503 });
  await startWorker(one, server, [...as("main"), "--vantage", "main"], env);
  await startWorker(one, server, [...as("spb"), "--vantage", "spb"], env);
  const vantages = ["--set", "engineVantage=main", "--set", "engineVantage=spb"];
  const { counts, engine } = await runThrough(one, server, [...as("publisher"), ...vantages], env);
  expect(counts).toEqual({ healthy: 5, failing: 1, refused: 0, skipped: 0 });
  expect(engine).toMatchObject({ batches: 2, answered: 2, dropped: 0 });
});

test("a worker with the key of another vantage gets nothing, and says so", async () => {
  const { one, env } = await open();
  const worker = await startWorker(one, server, [...as("spb"), "--vantage", "main"], env);
  await until("it complains", async () => worker.stderr().includes("Permissions Violation"));
  expect(eventsNamed(worker.stderr(), "batch-ended")).toEqual([]);
});

test("doctor finds the server and the rights of each side as they should be", async () => {
  for (const vantage of ["main", "spb"] as const) {
    const worker = ["--set", `engineWorkerCredentials=${vantage}.seed`];
    const checks = await doctor(
      server,
      ...as("publisher"),
      "--set",
      `engineVantage=${vantage}`,
      ...worker,
    );
    expect(notOk(checks)).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual([
      "engine",
      "engine streams",
      "engine publish",
      "engine pull",
      "engine results",
      "engine expiry",
      "engineWorkerCredentials",
    ]);
  }
});

test("doctor says what a worker lacks, and what it could forge", async () => {
  const wrong = ["--set", "engineVantage=main", "--set", "engineWorkerCredentials=spb.seed"];
  expect(notOk(await doctor(server, ...as("publisher"), ...wrong))).toEqual([
    expect.stringContaining("cannot see their work, send results, end a lease"),
  ]);
  const lax = await start(
    await configure((text) => text.replace('"results.main.>"', '"results.>", "work.>"')),
  );
  const right = ["--set", "engineVantage=main", "--set", "engineWorkerCredentials=main.seed"];
  expect(notOk(await doctor(lax, ...as("publisher"), ...right))).toEqual([
    expect.stringContaining("can also send results of another vantage, send work."),
  ]);
});

test("doctor says what is wrong with a server, or with the key", async () => {
  expect(notOk(await doctor(server, ...as("main")))).toEqual([
    expect.stringContaining("engine streams: "),
  ]);
  expect(notOk(await doctor(server))).toEqual([expect.stringMatching(/^engine: .*uthorization/u)]);
  const small = await start(await configure((text) => text.replace("1MB", "64KB")));
  expect(notOk(await doctor(small, ...as("publisher")))).toEqual([
    "engine: max_payload is 65536: set it to 1MB or more.",
  ]);
});
