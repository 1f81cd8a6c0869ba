import { type Command, Help, Option } from "commander";
import { LINES } from "../model/service/vantage.ts";
import { LOG_MODES } from "./log.ts";
import { PREVIEW_URL } from "../pipeline/pages/site-address.ts";
import { SHIPPED_TRUTH } from "./shipped-files.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { DEFAULT_CONFIRM } from "./parse-options.ts";

/*
 * The options that commands share. Values stay text here: `parse-options.ts` checks them, so that a user sees every problem at once.
 */

/** Prefix of the environment variables that set options. */
export const ENV_PREFIX = "STATUS_SNAPSHOT_";

const INPUTS = "Catalogue, monitors and stores:";
const REPORTS = "Reports:";
const PUBLISHING = "Publishing:";
const NETWORK = "Network:";
const OUTPUT = "Output:";
/** In the order of the help. Commander's own "Options:" is for options of one or two commands. */
export const HEADINGS: readonly string[] = [
  "Options:",
  INPUTS,
  REPORTS,
  PUBLISHING,
  NETWORK,
  OUTPUT,
];

/** Gives every command the same order of headings; commander would take the order in which its options were added. */
export const groupItems: Help["groupItems"] = (unsorted, visible, getGroup) => {
  const groups = new Help().groupItems(unsorted, visible, getGroup);
  return new Map(
    [...groups].toSorted(([one], [other]) => HEADINGS.indexOf(one) - HEADINGS.indexOf(other)),
  );
};

/** An option that also reads `STATUS_SNAPSHOT_<OPTION>`. */
export function option(flags: string, description: string, fallback?: string): Option {
  const built = new Option(flags, description);
  built.env(ENV_PREFIX + built.name().toUpperCase().replaceAll("-", "_"));
  return fallback === undefined ? built : built.default(fallback);
}

/** An option that may be given several times. One value, and so an environment variable, may list several, separated by blanks or commas. */
export function repeatableOption(flags: string, description: string): Option {
  return option(flags, `${description} (repeatable)`).argParser(
    (value: string, before: readonly string[] | undefined) => {
      const values = value.startsWith("@")
        ? [value]
        : value.split(/[\s,]+/u).filter((part) => part !== "");
      return [...(before ?? []), ...values];
    },
  );
}

function addGroup(command: Command, heading: string, options: readonly Option[]): Command {
  for (const one of options) command.addOption(one.helpGroup(heading));
  return command;
}

/** @param shipped the catalogue that comes with the program; the help does not show its path. */
export function addCatalogueOptions(command: Command, shipped: string): Command {
  return addGroup(command, INPUTS, [
    option("--catalogue <file>", "services to probe").default(shipped, "the one shipped"),
    option("--catalogue-overlay <file>", "changes of the catalogue, in a file of their own"),
  ]);
}

/** What is known of the services from elsewhere. */
export function truthOption(): Option {
  return option("--truth <file>", "what is known of the services from elsewhere")
    .default(SHIPPED_TRUTH, "the one shipped")
    .helpGroup(INPUTS);
}

/** The registry that is read without `--monitors`; it need not exist. */
export const DEFAULT_REGISTRY = "monitors.yaml";

/** The file of vantages that is read without `--vantages`; it need not exist. */
export const DEFAULT_VANTAGES = "vantages.yaml";

export function monitorsOption(): Option {
  return option(
    "--monitors <file>",
    `registry of monitors: a file, a folder DIR/ of shards, or s3://BUCKET/… (default: ${DEFAULT_REGISTRY}, if there is one)`,
  ).helpGroup(INPUTS);
}

/** Where documents are published, and where `serve` and `doctor` read them. */
export function storeOption(): Option {
  return option("--store <url>", "where the public documents are", "file:public").helpGroup(INPUTS);
}

/** Where history and evidence are kept. */
export function stateOption(): Option {
  return option("--state <url>", "where the private state is kept", "file:.state").helpGroup(
    INPUTS,
  );
}

/** Has no default, because the state keeps the last value. */
export function baseUrlOption(): Option {
  return option(
    "--base-url <url>",
    `where the website is served (default: what was given last; for a folder ${PREVIEW_URL}, for S3 none, and no website)`,
  ).helpGroup(PUBLISHING);
}

/** Has no default: otherwise the log is `pretty` on a terminal and `json` elsewhere. */
export function logOption(): Option {
  return option(
    "--log <mode>",
    `${LOG_MODES.join(", ")}: how progress is logged on standard error (default: json unless it is a terminal)`,
  ).helpGroup(OUTPUT);
}

export function jsonOption(description: string): Option {
  return option("--json", description).helpGroup(OUTPUT);
}

/** The time that a command uses as now, for replays, imports and tests. */
export function atOption(): Option {
  return option("--at <time>", "compute as of this time, RFC 3339 such as 2026-11-21T12:00:00Z");
}

export function allowPrivateOption(): Option {
  return repeatableOption(
    "--allow-private <cidr>",
    "special-purpose addresses that may be connected to",
  ).helpGroup(NETWORK);
}

/** Adds the options that decide which URLs a monitor may have. */
export function addMonitorRules(command: Command): Command {
  return addGroup(command, NETWORK, [
    allowPrivateOption(),
    repeatableOption("--allow-port <n>", "port that a monitor may name in addition to 80 and 443"),
  ]);
}

/** Adds the options of every command that probes. */
export function addProbeOptions(command: Command): Command {
  return addGroup(command, NETWORK, [
    option("--dns <server>", "resolver ADDR[:PORT]; tcp://ADDR[:PORT] queries it over TCP"),
    repeatableOption(
      "--connect-to <rule>",
      "HOST:PORT:ADDR:PORT as in curl, or @FILE with one rule per line",
    ),
    option("--extra-ca <file>", "PEM roots to trust as well for `trust: national`"),
  ]);
}

/** Adds the options of every command that publishes. */
export function addPublishOptions(command: Command, shippedCatalogue: string): Command {
  addCatalogueOptions(command, shippedCatalogue)
    .addOption(truthOption())
    .addOption(monitorsOption())
    .addOption(storeOption())
    .addOption(stateOption());
  addGroup(command, INPUTS, [
    option("--cell <n/K>", "only the monitors of cell n of K, counted from 0 (default: all)"),
    option("--no-services", "only monitors: another cell has the services and the website"),
  ]);
  addGroup(command, PUBLISHING, [
    baseUrlOption(),
    option(
      "--reports <on|off|url>",
      "where forms of the website send reports: to itself, nowhere, to an intake elsewhere (default: what was given last; off at first, on with an intake)",
    ),
    option(
      "--self-service <on|off>",
      "owners may add their sites, where forms send reports (default: what was given last; off at first)",
    ),
    option(
      "--alerts-key <key|off>",
      "public key of the notifier: visitors and owners may have push, owners webhooks (default: what was given last for pages; an intake takes subscriptions only if it is given)",
    ),
    option(
      "--about <file>",
      "operator, contact and links for the footer of the website (default: what was given last)",
    ),
    option("--badge-language <ru|en>", "language of the badges", "ru"),
    option("--keep-archive <days>", "days that stay in the archive, at least 40", "forever"),
    option(
      "--max-removals <share>",
      "largest share of our objects, or of our monitors, to remove at once",
      "0.2",
    ),
    option("--force", "remove every object and monitor that is no longer wanted"),
    option("--audit", "check every published object, as happens once an hour"),
  ]);
  return addMonitorRules(command.addOption(logOption()));
}

/** Adds the options of `run` and `watch`. */
export function addRunOptions(command: Command, shippedCatalogue: string): Command {
  const options = [
    repeatableOption("--only <slug>", "probe only this service"),
    option("--concurrency <n>", "probes of services at once", "64"),
    option("--monitor-concurrency <n>", "checks of monitors at once", "256"),
    option(
      "--confirm <seconds>",
      "when to probe a change again: SECONDS,… or none; the last delay of the default is for doubtful failures",
      DEFAULT_CONFIRM,
    ),
    option("--deadline <seconds>", "skip what is not probed by then", "240"),
    option(
      "--line <kind>",
      `${LINES.join(", ")}: what line this machine has; some owners refuse data centres`,
      "hosting",
    ),
    option("--heartbeat-url <url>", "requested after each valid run, for a dead man's switch"),
    option(
      "--metrics-file <file>",
      "metrics of each run that published, for node_exporter: NAME.prom",
    ),
  ];
  for (const one of options) command.addOption(one);
  addGroup(command, INPUTS, [
    option(
      "--vantages <file>",
      `places elsewhere that probe as well (default: ${DEFAULT_VANTAGES}, if there is one)`,
    ),
    option("--exchange <url>", "store in which the runner and its vantages meet"),
  ]);
  return addPublishOptions(addProbeOptions(command), shippedCatalogue);
}

/** Adds the options of the commands that edit the registry and publish at once. */
export function addMonitorOptions(command: Command, shippedCatalogue: string): Command {
  return addPublishOptions(command, shippedCatalogue).addOption(atOption());
}

/** Adds the options of both commands that accept reports; only the default port differs. */
export function addIntakeOptions(command: Command, port: string): Command {
  addProbeOptions(command)
    .addOption(option("--host <address>", "address to listen on", "127.0.0.1"))
    .addOption(option("--port <n>", "port to listen on, 0 for any", port));
  return addGroup(command, REPORTS, [
    repeatableOption("--proxy <range>", "proxies whose X-Forwarded-For is trusted"),
    repeatableOption("--allow-origin <origin>", "other sites whose pages may send reports"),
    option("--journal <folder>", "folder that keeps reports while the state store does not answer"),
  ]);
}

/** Follows the list of commands in the help of the program. */
export const HELP_FOOTER = `
Begin with:
  status-snapshot run      probes the 85 services of the shipped catalogue and writes
                           the API to the folder "public"; its state is in ".state"
  status-snapshot serve    shows that folder at http://127.0.0.1:8080

Environment:
  Every option can be set as ${ENV_PREFIX}<OPTION>, for example
  ${ENV_PREFIX}EXTRA_CA=roots.pem for --extra-ca. The command line wins; an empty
  variable counts as not set. NODE_EXTRA_CA_CERTS adds roots for every endpoint.

Exit codes:
${exitCodeLines()}

Standard output carries results, standard error everything else.`;

function exitCodeLines(): string {
  return Object.entries(EXIT_CODES)
    .map(
      ([code, { meaning }]) =>
        `  ${code}  ${new Help().boxWrap(meaning, 75).replaceAll("\n", "\n     ")}`,
    )
    .join("\n");
}
