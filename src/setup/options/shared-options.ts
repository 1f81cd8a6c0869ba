import { LINES } from "../../model/service/vantage.ts";
import { PREVIEW_URL } from "../../pipeline/pages/site-address.ts";
import { LOG_MODES } from "../log.ts";
import { SHIPPED_CATALOGUE, SHIPPED_TRUTH } from "../shipped-files.ts";
import {
  group,
  INPUTS,
  NETWORK,
  onlyGiven,
  option,
  OUTPUT,
  OWN,
  PUBLISHING,
  repeatable,
  toggle,
} from "./option-row.ts";
import * as network from "./network-texts.ts";
import * as read from "./texts.ts";

/** The registry that is read without `--monitors`; it need not exist. */
export const DEFAULT_REGISTRY = "monitors.yaml";

/** The file of vantages that is read without `--vantages`; it need not exist. */
export const DEFAULT_VANTAGES = "vantages.yaml";

/** The place of workers that is not named. */
export const DEFAULT_PLACE = "main";

/** The services, and local changes of them. */
export const CATALOGUE = {
  catalogue: option(
    "--catalogue <file>",
    read.TEXT,
    "services to probe",
    SHIPPED_CATALOGUE,
    "the one shipped",
  ),
  catalogueOverlay: option(
    "--catalogue-overlay <file>",
    read.TEXT,
    "changes of the catalogue, in a file of their own",
  ),
};

/** Groups of options that several commands share. */
export const SHARED_OPTIONS = {
  run: group(OWN, {
    only: repeatable("--only <slug>", read.TEXT, "probe only this service"),
    concurrency: option("--concurrency <n>", read.AT_ONCE, "probes of services at once", "64"),
    monitorConcurrency: option(
      "--monitor-concurrency <n>",
      read.AT_ONCE,
      "checks of monitors at once",
      "256",
    ),
    confirmation: option(
      "--confirm <seconds>",
      read.CONFIRMATION,
      "when to probe a change again: SECONDS,… or none; the last delay of the default is for doubtful failures",
      read.DEFAULT_CONFIRM,
    ),
    deadlineMs: option(
      "--deadline <seconds>",
      read.seconds((value) => value > 0, "give a number of seconds such as 240, at most a day."),
      "skip what is not probed by then",
      "240",
    ),
    line: option(
      "--line <kind>",
      read.oneOf(LINES),
      `${LINES.join(", ")}: what line this machine has; some owners refuse data centres`,
      "hosting",
    ),
    heartbeatUrl: option(
      "--heartbeat-url <url>",
      network.HEARTBEAT_URL,
      "requested after each valid run, for a dead man's switch",
    ),
    metricsFile: option(
      "--metrics-file <file>",
      read.TEXT,
      "metrics of each run that published, for node_exporter: NAME.prom",
    ),
  }),
  engine: group(OWN, {
    engine: option(
      "--engine <url>",
      network.ENGINE_URL,
      "NATS server whose workers check the monitors: tls://HOST:PORT",
    ),
    engineCredentials: option(
      "--engine-credentials <file>",
      read.TEXT,
      "credentials for it: a .creds file or the seed of an NKey",
    ),
  }),
  enginePlaces: group(OWN, {
    engineVantage: repeatable(
      "--engine-vantage <name>",
      read.ENGINE_PLACE,
      `place whose workers check each monitor (default: ${DEFAULT_PLACE})`,
      [DEFAULT_PLACE],
    ),
  }),
  at: group(OWN, {
    atMs: onlyGiven(
      option(
        "--at <time>",
        read.TIME,
        "compute as of this time, RFC 3339 such as 2026-11-21T12:00:00Z",
      ),
    ),
  }),
  exchange: group(INPUTS, {
    vantages: option(
      "--vantages <file>",
      read.TEXT,
      `places elsewhere that probe as well (default: ${DEFAULT_VANTAGES}, if there is one)`,
    ),
    exchange: option(
      "--exchange <url>",
      network.STORE_URL,
      "store in which the runner and its vantages meet",
    ),
  }),
  catalogue: group(INPUTS, CATALOGUE),
  truth: group(INPUTS, {
    truth: option(
      "--truth <file>",
      read.TEXT,
      "what is known of the services from elsewhere",
      SHIPPED_TRUTH,
      "the one shipped",
    ),
  }),
  registry: group(INPUTS, {
    monitors: option(
      "--monitors <file>",
      read.TEXT,
      `registry of monitors: a file, a folder DIR/ of shards, or s3://BUCKET/… (default: ${DEFAULT_REGISTRY}, if there is one)`,
    ),
  }),
  store: group(INPUTS, {
    store: option(
      "--store <url>",
      network.STORE_URL,
      "where the public documents are",
      "file:public",
    ),
  }),
  state: group(INPUTS, {
    state: option(
      "--state <url>",
      network.STORE_URL,
      "where the private state is kept",
      "file:.state",
    ),
  }),
  cell: group(INPUTS, {
    cell: option(
      "--cell <n/K>",
      read.CELL,
      "only the monitors of cell n of K, counted from 0 (default: all)",
    ),
    hasServices: toggle(
      "--no-services",
      "only monitors: another cell has the services and the website",
    ),
  }),
  website: group(PUBLISHING, {
    baseUrl: option(
      "--base-url <url>",
      network.BASE_URL,
      `where the website is served (default: what was given last; for a folder ${PREVIEW_URL}, for S3 none, and no website)`,
    ),
  }),
  publish: group(PUBLISHING, {
    reportUrl: option(
      "--reports <on|off|url>",
      network.REPORTS,
      "where forms of the website send reports: to itself, nowhere, to an intake elsewhere (default: what was given last; off at first, on with an intake)",
    ),
    isSelfService: option(
      "--self-service <on|off>",
      read.SWITCH,
      "owners may add their sites, where forms send reports (default: what was given last; off at first)",
    ),
    pushKey: option(
      "--alerts-key <key|off>",
      read.ALERTS_KEY,
      "public key of the notifier: visitors and owners may have push, owners webhooks (default: what was given last for pages; an intake takes subscriptions only if it is given)",
    ),
    about: option(
      "--about <file>",
      read.TEXT,
      "operator, contact and links for the footer of the website (default: what was given last)",
    ),
    badgeLanguage: option(
      "--badge-language <ru|en>",
      read.oneOf(["ru", "en"], "give ru or en."),
      "language of the badges",
      "ru",
    ),
    keepArchive: option(
      "--keep-archive <days>",
      read.KEPT_DAYS,
      "days that stay in the archive, at least 40",
      "forever",
    ),
    maxRemovals: option(
      "--max-removals <share>",
      read.SHARE,
      "largest share of our objects, or of our monitors, to remove at once",
      "0.2",
    ),
    isForced: onlyGiven(
      toggle("--force", "remove every object and monitor that is no longer wanted"),
    ),
    isAudit: toggle("--audit", "check every published object, as happens once an hour"),
  }),
  probe: group(NETWORK, {
    dns: option(
      "--dns <server>",
      network.RESOLVER,
      "resolver ADDR[:PORT]; tcp://ADDR[:PORT] queries it over TCP",
    ),
    connectTo: repeatable(
      "--connect-to <rule>",
      read.TEXT,
      "HOST:PORT:ADDR:PORT as in curl, or @FILE with one rule per line",
    ),
    extraCa: option(
      "--extra-ca <file>",
      read.TEXT,
      "PEM roots to trust as well for `trust: national`",
    ),
  }),
  private: group(NETWORK, {
    allowPrivate: repeatable(
      "--allow-private <cidr>",
      network.RANGE,
      "special-purpose addresses that may be connected to",
    ),
  }),
  ports: group(NETWORK, {
    allowPort: repeatable(
      "--allow-port <n>",
      network.TARGET_PORT,
      "port that a monitor may name in addition to 80 and 443",
    ),
  }),
  log: group(OUTPUT, {
    log: option(
      "--log <mode>",
      read.oneOf(LOG_MODES),
      `${LOG_MODES.join(", ")}: how progress is logged on standard error (default: json unless it is a terminal)`,
    ),
  }),
};
