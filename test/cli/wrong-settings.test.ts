import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startSimulatedInternet,
  type SimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { eventsNamed, problemsOf } from "./cli.ts";
import { runHere } from "./run-here.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/* Wrong settings: `run` and `doctor` find the same ones, by the same sentence, and none is ignored. */

let internet: SimulatedInternet;
let one: Workspace;

beforeAll(async () => {
  internet = await startSimulatedInternet();
  one = await openWorkspace(internet, undefined, true);
  await writeFile(join(one.folder, "hosts.txt"), "a.example:443:127.0.0.1:443\n");
  await writeFile(join(one.folder, "empty.pem"), "no certificate\n");
  await writeFile(join(one.folder, "wrong-overlay.yaml"), "servces: []\n");
  await writeFile(join(one.folder, "monitors.yaml"), "monitors: []\n");
  await mkdir(join(one.folder, "shared"));
});

afterAll(async () => {
  await one.close();
  await internet.close();
});

interface Wrong {
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** What a command says of the settings. */
async function say(command: "run" | "doctor" | "intake", { file, env = {}, args = [] }: Wrong) {
  const path = join(one.folder, "site.yaml");
  if (file === undefined) await rm(path, { force: true });
  else await writeFile(path, `${file}\n`);
  const options = ["--catalogue", "catalogue.json", "--dns", "127.0.0.1:9", ...args];
  const result = await runHere([command, ...options], one.folder, env);
  await rm(path, { force: true });
  return result;
}

const WRONG: readonly (readonly [name: string, Wrong, words: RegExp])[] = [
  ["a misspelt variable", { env: { STATUS_SNAPSHOT_STOER: "x" } }, /STOER: no option .*STORE\?/u],
  ["a misspelt key", { file: "stoer: x" }, /^site\.yaml:1:1: stoer: unknown key; did you mean/u],
  ["a misspelt --set", { args: ["--set", "stoer=x"] }, /--set stoer: .* did you mean store\?/u],
  ["a key twice", { file: "line: home\nline: office" }, /^site\.yaml:2:1: /u],
  ["a secret in the file", { file: "heartbeatUrl: https://x/" }, /this is a secret/u],
  [
    "a file that is not there",
    { args: ["--settings", "other.yaml"] },
    /other\.yaml: the file does not exist/u,
  ],
  ["a store of another kind", { file: "store: ftp://x" }, /^--store: .*Write file:DIR/u],
  ["a store without a bucket", { file: "store: s3://" }, /^--store: .* is not a bucket name/u],
  ["a misspelt parameter", { file: "store: s3://b?endpont=https://x" }, /endpont/u],
  ["a store that is the state", { file: "store: file:shared\nstate: file:shared" }, /overlap/u],
  ["an address without https", { file: "baseUrl: status.example" }, /^--base-url/u],
  ["an address with a password", { file: "baseUrl: https://a:b@x.example" }, /^--base-url: /u],
  ["an address with a query", { file: "baseUrl: https://x.example/?a" }, /^--base-url/u],
  ["reports that are neither", { file: "reports: maybe" }, /^reports maybe: give on, off/u],
  ["a switch that is neither", { file: "selfService: ja" }, /^selfService ja: give on or off/u],
  ["a key in another form", { file: "alertsKey: x" }, /^alertsKey x: .*notify keygen/u],
  [
    "a contact that is not a link",
    { file: "about: { contact: x }" },
    /about\.contact: write a URL/u,
  ],
  ["a misspelt link", { file: "about: { contakt: x }" }, /did you mean "contact"/u],
  ["a language of no page", { file: "badgeLanguage: de" }, /^badgeLanguage de: give ru or en/u],
  ["an archive of a week", { file: "keepArchive: 7" }, /^keepArchive 7: give forever/u],
  ["a share above one", { file: "maxRemovals: 20" }, /^maxRemovals 20: give a share/u],
  ["a misspelt line", { file: "line: datacentre" }, /^line datacentre: give one of/u],
  ["a deadline of nothing", { file: "deadline: 0" }, /^deadline 0: give a number of seconds/u],
  ["delays that fall", { file: "confirm: 60,20" }, /^confirm 60,20: give ascending/u],
  ["no probes at all", { file: "concurrency: 0" }, /^concurrency 0: give a whole number/u],
  ["too many checks", { file: "monitorConcurrency: 5000" }, /^monitorConcurrency 5000: /u],
  [
    "a heartbeat without a scheme",
    { env: { STATUS_SNAPSHOT_HEARTBEAT_URL: "x" } },
    /^heartbeatUrl/u,
  ],
  ["a resolver by name", { args: ["--dns", "dns.example"] }, /^--dns dns\.example: /u],
  ["a rule without a form", { file: "connectTo: a:b" }, /^--connect-to "a:b": needs the form/u],
  ["a file of rules without @", { file: "connectTo: hosts.txt" }, /a file of rules is @FILE/u],
  [
    "a file of rules that is gone",
    { file: "connectTo: '@gone.txt'" },
    /@gone\.txt: the file does not exist/u,
  ],
  [
    "a root that is not there",
    { file: "extraCa: gone.pem" },
    /^--extra-ca gone\.pem: the file does not exist/u,
  ],
  [
    "a root without a certificate",
    { file: "extraCa: empty.pem" },
    /the file has no PEM certificate/u,
  ],
  ["a range with too many bits", { file: "allowPrivate: 10.0.0.0/33" }, /^--allow-private: "10/u],
  ["a port beyond the last", { file: "allowPort: 70000" }, /^--allow-port 70000: /u],
  ["a registry that is gone", { file: "monitors: gone.yaml" }, /^--monitors gone\.yaml: /u],
  [
    "a registry for everyone",
    { file: "monitors: public/monitors.yaml" },
    /is in the public store/u,
  ],
  [
    "a registry for everyone that is not named",
    { file: "store: file:.\nstate: s3://private?endpoint=http://127.0.0.1:1" },
    /^--monitors monitors\.yaml is in the public store/u,
  ],
  [
    "an overlay that is gone",
    { file: "catalogueOverlay: gone.yaml" },
    /gone\.yaml: the file does not exist/u,
  ],
  ["an overlay with a mistake", { file: "catalogueOverlay: wrong-overlay.yaml" }, /servces/u],
  ["places that are gone", { file: "vantages: gone.yaml\nexchange: file:x" }, /^vantages gone/u],
  [
    "an exchange without places",
    { file: "exchange: file:exchange" },
    /vantages\.yaml does not exist/u,
  ],
  ["an engine of another kind", { file: "engine: http://x" }, /^engine http:\/\/x/u],
  ["keys without an engine", { file: "engineCredentials: x" }, /^engineCredentials x: engine is/u],
  ["a cell beyond the last", { file: "cell: 5/3" }, /^--cell 5\/3: /u],
  ["services in a later cell", { file: "cell: 1/3" }, /add --no-services/u],
  ["a switch that is a word", { env: { STATUS_SNAPSHOT_AUDIT: "yes" } }, /give true or false/u],
  [
    "a proxy of the intake",
    { file: "proxy: 10.0.0.0/40" },
    /^proxy 10\.0\.0\.0\/40: write a prefix/u,
  ],
  ["a port of the intake", { file: "port: http" }, /^--port http: /u],
  ["a pace of a loop", { file: "every: often" }, /^--every often: /u],
  ["a log of another kind", { file: "log: verbose" }, /^--log verbose: give one of/u],
];

test.each(WRONG)("%s is refused by run and by doctor, in one sentence", async (_, wrong, words) => {
  const said = { run: await say("run", wrong), doctor: await say("doctor", wrong) };
  for (const { code, stdout, stderr } of Object.values(said)) {
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(problemsOf(stderr)).toEqual([expect.stringMatching(words)]);
  }
  expect(problemsOf(said.doctor.stderr)).toEqual(problemsOf(said.run.stderr));
  expect(problemsOf(said.run.stderr)).toMatchSnapshot();
  expect((await one.published()).size).toBe(0);
});

test("an intake that a settings file does not allow for is refused", async () => {
  const wrong = { file: "line: home", args: ["--port", "0"] };
  const { code, stderr } = await say("intake", wrong);
  expect([code, problemsOf(stderr)]).toEqual([
    2,
    ["site.yaml: reports is missing; write `reports: on`, or off."],
  ]);
});

test.each([
  ["a run that the unit kills", { file: "deadline: 600" }, /^deadline 600: .* at most 260/u],
  [
    "metrics that no one reads",
    { file: "metricsFile: run.txt" },
    /^metricsFile run\.txt: .*\.prom/u,
  ],
  ["a failure that is never confirmed", { file: "deadline: 100" }, /no new failure can be/u],
] as const)("%s is warned of by run and by doctor", async (_, wrong, words) => {
  const run = await say("run", wrong);
  const warnings = eventsNamed(run.stderr, "warning").map(({ message }) => message);
  expect(warnings).toContainEqual(expect.stringMatching(words));
  const { stdout } = await say("doctor", { ...wrong, args: ["--json"] });
  const checks = JSON.parse(stdout) as readonly Readonly<Record<string, string>>[];
  expect(checks.find(({ name }) => name === "settings")).toMatchObject({
    result: "warn",
    detail: expect.stringMatching(words),
  });
});
