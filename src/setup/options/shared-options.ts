import { LANGUAGES } from "../../contract/codes/language.ts";
import { LINES } from "../../model/service/choices.ts";
import { LOG_MODES } from "../log.ts";
import { SHIPPED_CATALOGUE, SHIPPED_TRUTH } from "../shipped-files.ts";
import { group, onlyGiven, option, optionOf, people, repeatable, toggle } from "./option-row.ts";
import * as network from "./network-texts.ts";
import * as read from "./texts.ts";

/** The settings that are read without `--settings`; they need not exist. */
export const DEFAULT_SETTINGS = "site.yaml";

/** The registry that is read without `--monitors`; it need not exist. */
export const DEFAULT_REGISTRY = "monitors.yaml";

/** The file of vantages that is read without `vantages`; it need not exist. */
export const DEFAULT_VANTAGES = "vantages.yaml";

/** The place of workers that is not named. */
export const DEFAULT_PLACE = "main";

/* Options of the most frequent kinds. */
export const text = optionOf(read.TEXT);
export const atOnce = optionOf(read.AT_ONCE);
export const storeUrl = optionOf(network.STORE_URL);

/** The services, and local changes of them. */
export const CATALOGUE = {
  catalogue: text("--catalogue <file>", "services to probe", SHIPPED_CATALOGUE, "the one shipped"),
  catalogueOverlay: text("--catalogue-overlay <file>", "changes of the catalogue"),
};

/** Groups of options that several commands share. */
export const SHARED_OPTIONS = {
  settings: group("settings", {
    settings: {
      ...text("--settings <file>", `what describes the installation (${DEFAULT_SETTINGS})`),
      kind: "settings" as const,
    },
    set: {
      ...onlyGiven(repeatable("--set <key=value>", read.TEXT, "a setting, for this start")),
      kind: "texts" as const,
    },
  }),
  only: group("own", {
    only: onlyGiven(repeatable("--only <slug>", read.TEXT, "probe only this service")),
  }),
  run: group("own", {
    concurrency: atOnce("concurrency <n>", "probes of services at once", "64"),
    monitorConcurrency: atOnce("monitorConcurrency <n>", "checks of monitors at once", "256"),
    confirmation: option(
      "confirm <seconds>",
      read.CONFIRMATION,
      "when to probe a change again: SECONDS,… or none; the last delay of the default is for doubtful failures",
      read.DEFAULT_CONFIRM,
    ),
    deadlineMs: option(
      "deadline <seconds>",
      read.seconds((value) => value > 0, "give a number of seconds such as 240, at most a day."),
      "skip what is not probed by then",
      "240",
    ),
    isBrowserAsked: option(
      "browser <on|off>",
      read.SWITCH,
      "ask critical endpoints abroad as a browser would, too, if the optional package is there",
      "on",
    ),
    line: option(
      "line <kind>",
      read.oneOf(LINES),
      `${LINES.join(", ")}: what line this machine has; some owners refuse data centres`,
      "hosting",
    ),
    heartbeatUrl: {
      ...option(
        "heartbeatUrl <url>",
        network.HEARTBEAT_URL,
        "requested after each valid run, for a dead man's switch",
      ),
      isSecret: true,
    },
    metricsFile: text(
      "metricsFile <file>",
      "metrics of each run that published, for node_exporter: NAME.prom",
    ),
  }),
  engine: group("own", {
    engine: option(
      "engine <url>",
      network.ENGINE_URL,
      "NATS server whose workers check the monitors: tls://HOST:PORT",
    ),
    engineCredentials: text(
      "engineCredentials <file>",
      "credentials for it: a .creds file or the seed of an NKey",
    ),
  }),
  enginePlaces: group("own", {
    engineVantage: repeatable(
      "engineVantage <name>",
      read.ENGINE_PLACE,
      `place whose workers check each monitor (default: ${DEFAULT_PLACE})`,
      [DEFAULT_PLACE],
    ),
  }),
  at: group("own", {
    atMs: onlyGiven(
      option("--at <time>", read.TIME, "compute as of this time: 2026-11-21T12:00:00Z"),
    ),
  }),
  exchange: group("inputs", {
    vantages: text(
      "vantages <file>",
      `places elsewhere that probe as well (default: ${DEFAULT_VANTAGES}, if there is one)`,
    ),
    exchange: storeUrl("exchange <url>", "store in which the runner and its vantages meet"),
  }),
  catalogue: group("inputs", CATALOGUE),
  truth: group("inputs", {
    truth: text("--truth <file>", "what is known of them", SHIPPED_TRUTH, "the one shipped"),
  }),
  registry: group("inputs", {
    monitors: text("--monitors <file>", "registry: a file, a folder DIR/, or s3://BUCKET/…"),
  }),
  store: group("inputs", {
    store: storeUrl("--store <url>", "public documents", "file:public"),
  }),
  state: group("inputs", {
    state: storeUrl("--state <url>", "private state", "file:.state"),
  }),
  cell: group("inputs", {
    cell: option("--cell <n/K>", read.CELL, "only the monitors of cell n of K, from 0"),
    hasServices: toggle("--no-services", "only monitors: another cell has the services"),
  }),
  website: group("publishing", {
    baseUrl: option(
      "--base-url <url>",
      network.BASE_URL,
      "where the website is served (default: as before)",
    ),
  }),
  publish: group("publishing", {
    reportUrl: option(
      "reports <on|off|url>",
      network.REPORTS,
      "where forms of the website send reports: to itself, nowhere, to an intake elsewhere (default: off; on with an intake)",
    ),
    isSelfService: option(
      "selfService <on|off>",
      read.SWITCH,
      "owners may add their sites, where forms send reports (default: off)",
    ),
    pushKey: option(
      "alertsKey <key|off>",
      read.ALERTS_KEY,
      "public key of the notifier: visitors and owners may have push, owners webhooks (default: none)",
    ),
    people: people(
      "about",
      "operator, contact and links for the footer of the website, each with its key",
    ),
    badgeLanguage: option(
      "badgeLanguage <ru|en>",
      read.oneOf(LANGUAGES, "give ru or en."),
      "language of the badges",
      "ru",
    ),
    keepArchive: option(
      "keepArchive <days>",
      read.KEPT_DAYS,
      "days that stay in the archive, at least 40",
      "forever",
    ),
    maxRemovals: option(
      "maxRemovals <share>",
      read.SHARE,
      "largest share of our objects, or of our monitors, to remove at once",
      "0.2",
    ),
    isForced: onlyGiven(toggle("--force", "remove everything that is no longer wanted")),
    isAudit: toggle("--audit", "check every published object, as once an hour"),
  }),
  probe: group("network", {
    dns: option(
      "--dns <server>",
      network.RESOLVER,
      "resolver ADDR[:PORT], over TCP tcp://ADDR[:PORT]",
    ),
    connectTo: repeatable("--connect-to <rule>", read.TEXT, "HOST:PORT:ADDR:PORT, or @FILE"),
    extraCa: text("--extra-ca <file>", "PEM roots to trust as well for `trust: national`"),
  }),
  private: group("network", {
    allowPrivate: repeatable(
      "--allow-private <cidr>",
      network.RANGE,
      "special addresses to connect to",
    ),
  }),
  ports: group("network", {
    allowPort: repeatable(
      "--allow-port <n>",
      network.TARGET_PORT,
      "port of monitors besides 80, 443",
    ),
  }),
  log: group("output", {
    log: option(
      "--log <mode>",
      read.oneOf(LOG_MODES),
      `progress on standard error: ${LOG_MODES.join(", ")}`,
    ),
  }),
};
