import { SLOT_COUNT } from "../registry/cell.ts";
import { SHARD_COUNT } from "../../model/monitor/shard.ts";
import { SYMPTOMS } from "../../model/service/choices.ts";
import { SECOND_MS } from "../../model/time.ts";
import {
  formerly,
  group,
  ofGroup,
  onlyGiven,
  option,
  optionOf,
  repeatable,
  toggle,
} from "./option-row.ts";
import { atOnce, CATALOGUE, DEFAULT_PLACE, storeUrl, text } from "./shared-options.ts";
import * as network from "./network-texts.ts";
import * as read from "./texts.ts";

/** Of `--races` without a value. Long enough to show a loss of one update in fifty: versitygw 1.8.0 with `--sidecar` lost 3 of 172. */
const RACE_SECONDS = "20";
const MAX_RACE_SECONDS = 600;

/** More reports at once can only be a mistake. */
const MAX_REPORTS = 100_000;

const SECONDS = read.wholeNumber(1, undefined, SECOND_MS);

const RACES = onlyGiven(
  option(
    "--races [seconds]",
    read.seconds(
      (value) => value > 0 && value <= MAX_RACE_SECONDS,
      `give seconds up to ${MAX_RACE_SECONDS}, or none for ${RACE_SECONDS}.`,
    ),
    `four writers race in each store for this long (default: ${RACE_SECONDS})`,
  ),
);

const readRaces: typeof RACES.read = (given, addProblem) =>
  RACES.read(given === true ? RACE_SECONDS : given, addProblem);

const KEY_FLAG = "--key <file>";
const key = (owner: string, help: string) => ofGroup(owner, text(KEY_FLAG, help));
/** A text of one call. */
const givenText = (usage: string, help: string) => onlyGiven(text(usage, help));
/** A switch of one call. */
const givenSwitch = (usage: string, help: string) => onlyGiven(toggle(usage, help));
const json = (help: string) => group("output", { isJson: givenSwitch("--json", help) });
const port = optionOf(network.PORT);
const PORT_HELP = "port to listen on, 0 for any";
const every = (owner: string, help: string) => ({
  everyMs: ofGroup(owner, option("--every <seconds>", read.PERIOD, help, "15")),
});

/** Groups of options that belong to one command, or to a program beside the runner. */
export const COMMAND_OPTIONS = {
  watch: group("own", {
    everyMs: option("--every <seconds>", read.PERIOD, "period on the wall clock", "300"),
  }),
  intake: group("reports", {
    proxy: repeatable("proxy <range>", network.PROXY, "proxies whose X-Forwarded-For is trusted"),
    allowOrigin: repeatable(
      "allowOrigin <origin>",
      network.ORIGIN,
      "other sites whose pages may send reports",
    ),
    journal: text(
      "journal <folder>",
      "folder that keeps reports while the state store does not answer",
    ),
  }),
  listen: group("own", {
    host: option("--host <address>", network.HOST, "address to listen on", "127.0.0.1"),
  }),
  serve: group("own", { port: port("--port <n>", PORT_HELP, "8080") }),
  operations: group("own", {
    port: port("--port <n>", PORT_HELP, "8081"),
    operationsPort: port("operationsPort <n>", "port of /healthz and /metrics, on 127.0.0.1"),
  }),
  configJson: json("the settings as JSON"),
  explainJson: json("everything as JSON"),
  auditJson: json("the audit as JSON"),
  trial: group("own", {
    overlay: onlyGiven(text("--overlay <file>", "where the proposals are written", "overlay.yaml")),
    answers: givenText("--answers <file>", "keep what was answered, to judge it again"),
    from: givenText("--from <file>", "judge kept answers, and ask nothing"),
    pauseMs: formerly(
      "--pause <seconds>",
      option(
        "trialPause <seconds>",
        read.seconds(() => true, "give a number of seconds such as 60, at most a day."),
        "between the two rounds",
        "60",
      ),
    ),
  }),
  trialJson: json("the report as JSON"),
  report: group("own", {
    count: onlyGiven(option("--count <n>", read.wholeNumber(1, MAX_REPORTS), "how many", "1")),
    symptom: onlyGiven(option("--symptom <name>", read.oneOf(SYMPTOMS), "what is wrong")),
  }),
  add: group("own", {
    id: givenText("--id <id>", "its id, 1–64 of A–Z a–z 0–9 _ - (default: an unguessable one)"),
    name: givenText("--name <name>", "what to call it (default: its host)"),
    label: givenText("--label <text>", "left side of its badge (default: аптайм)"),
    isPublic: givenSwitch("--public", "switch its page and badges on"),
  }),
  convert: group("own", {
    shards: onlyGiven(
      option(
        "--count <n>",
        read.oneOf([SHARD_COUNT, SLOT_COUNT].map(String)),
        `number of shards, ${SLOT_COUNT} for cells`,
        `${SHARD_COUNT}`,
      ),
    ),
  }),
  list: group("own", {
    isPending: givenSwitch("--pending", "only monitors whose owners have not proved control yet"),
  }),
  listJson: json("the list as JSON"),
  vantage: group("own", {
    ask: storeUrl("--ask <url>", "store in which the runner asks"),
    evidence: storeUrl("evidence <url>", "store for the answer (default: that of --ask)"),
    id: ofGroup(
      "VANTAGE",
      option("--id <id>", read.VANTAGE_ID, "name of this vantage in the runner's vantages.yaml"),
    ),
    key: key("VANTAGE", "its private key, as `vantage keygen` writes it"),
    unlistedAnchor: repeatable(
      "unlistedAnchor <url>",
      network.ANCHOR,
      "host that a network with a white list would not let through",
    ),
    concurrency: formerly(
      "--concurrency <n>",
      atOnce("vantageConcurrency <n>", "probes at once", "32"),
    ),
  }),
  anchors: group("own", {
    anchor: repeatable(
      "anchor <url>",
      network.ANCHOR,
      "host that tells whether this place is online",
      network.DEFAULT_ANCHORS,
    ),
  }),
  vantageWatch: group("own", every("VANTAGE", "how often to look for an ask")),
  keygen: group("own", {
    key: givenText(KEY_FLAG, "new file for the private key"),
  }),
  channels: group("own", {
    changes: option(
      "--changes <url>",
      network.CHANGES_URL,
      "website whose services to watch, or its changes/v1.json",
    ),
    channels: givenText(
      "--channels <file>",
      "file of the operator's channels for news of services: channels.yaml",
    ),
  }),
  named: group("inputs", {
    ...CATALOGUE,
    catalogue: { ...CATALOGUE.catalogue, help: "services that the channels may name" },
  }),
  ledger: group("own", {
    ledger: storeUrl("ledger <url>", "store that records who was told what", "file:.ledger"),
  }),
  notify: group("own", {
    key: key(
      "NOTIFY",
      "private key of the notifier, for owners and visitors: `notify keygen` writes it",
    ),
  }),
  notifyWatch: group("own", every("NOTIFY", "how often to look")),
  worker: group("own", {
    vantage: option(
      "--vantage <name>",
      read.ENGINE_PLACE,
      "name of this place, which workers share",
      DEFAULT_PLACE,
    ),
    monitorConcurrency: formerly(
      "--monitor-concurrency <n>",
      atOnce("workerConcurrency <n>", "checks at once", "256"),
    ),
    threads: atOnce("threads <n>", "threads that check (default: one for each core)"),
    confirmation: formerly(
      "--confirm <seconds>",
      option(
        "workerConfirm <seconds>",
        read.CONFIRMATION,
        "when to check a change again, as in `run`",
        read.DEFAULT_CONFIRM,
      ),
    ),
  }),
  verify: group("own", {
    expectedServices: option(
      "--expect <n>",
      read.wholeNumber(0),
      "number of services in the list",
      "85",
    ),
    badge: onlyGiven(
      option("--badge <id>", read.MONITOR_ID, "a public monitor whose badges are checked as well"),
    ),
    isApiOnly: givenSwitch("--api-only", "do not check the website: there is none, on purpose"),
    maxAgeMs: formerly(
      "--max-age <seconds>",
      option("verifyMaxAge <seconds>", SECONDS, "greatest age of `updated`", "900"),
    ),
    timeoutMs: formerly(
      "--timeout <seconds>",
      option("verifyTimeout <seconds>", SECONDS, "timeout of one request", "10"),
    ),
    isAll: givenSwitch("--all", "print every check, not only those that failed"),
  }),
  verifyJson: json("the whole report as JSON"),
  doctor: group("own", {
    engineWorkerCredentials: text(
      "engineWorkerCredentials <file>",
      "credentials of the workers there, to see what they may do",
    ),
    raceMs: { ...RACES, read: readRaces },
  }),
  doctorJson: json("the checks as JSON"),
};
