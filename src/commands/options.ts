import { type Command, Option } from "commander";
import { LOG_MODES } from "../log/log.ts";
import { PREVIEW_URL } from "../site-place.ts";
import { DEFAULT_CONFIRM } from "./settings.ts";

/*
 * The options that commands share, as commander wants them. Values stay text here: `settings.ts` reads them, so that a user
 * meets every problem at once.
 */

/** What the environment's name of an option begins with. */
export const ENV_PREFIX = "STATUS_SNAPSHOT_";

/** An option that also reads `STATUS_SNAPSHOT_<OPTION>`. */
export function option(flags: string, description: string, fallback?: string): Option {
  const built = new Option(flags, description);
  built.env(ENV_PREFIX + built.name().toUpperCase().replaceAll("-", "_"));
  return fallback === undefined ? built : built.default(fallback);
}

/** An option that may be given several times; in one value, and so in the environment, its parts stand apart by blanks or commas. */
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

/** `shipped` is the file that comes with the program; its path says nothing to a reader of the help. */
export function catalogueOption(shipped: string): Option {
  return option("--catalogue <file>", "services to probe").default(shipped, "the one shipped");
}

/** Without a default: without one the catalogue is as its file says. */
export function catalogueOverlayOption(): Option {
  return option("--catalogue-overlay <file>", "changes of the catalogue, in a file of their own");
}

/** Where documents are published, and where `serve` and `doctor` look for them. Its value is a store URL, not yet parsed. */
export function storeOption(): Option {
  return option("--store <url>", "where the public documents are", "file:public");
}

/** Where history and evidence are kept. Its value is a store URL, not yet parsed. */
export function stateOption(): Option {
  return option("--state <url>", "where the private state is kept", "file:.state");
}

/** Where the website is served. Without a default: the state remembers what was given last. */
export function baseUrlOption(): Option {
  return option(
    "--base-url <url>",
    `where the website is served (default: what was given last; for a folder ${PREVIEW_URL}, for S3 none, and no website)`,
  );
}

/** Without a default: the shell takes `json` unless standard error is a terminal. */
export function logOption(): Option {
  return option(
    "--log <mode>",
    `${LOG_MODES.join(", ")}: how progress is told on standard error (default: json unless it is a terminal)`,
  );
}

/** For replays, imports and tests: the time that a command takes for now. */
export function atOption(): Option {
  return option("--at <time>", "compute as of this time, RFC 3339 such as 2026-11-21T12:00:00Z");
}

/** Where the registry is unless `--monitors` says otherwise; it need not exist. */
export const DEFAULT_REGISTRY = "monitors.yaml";

/** The registry of monitors. Without a default: `monitors.yaml` counts only if it is there. */
export function monitorsOption(): Option {
  return option(
    "--monitors <file>",
    `registry of monitors, a file or s3://BUCKET/NAME (default: ${DEFAULT_REGISTRY}, if there is one)`,
  );
}

/** What decides which URLs a monitor may have. */
export function addMonitorRules(command: Command): Command {
  return command
    .addOption(
      repeatableOption(
        "--allow-private <cidr>",
        "special-purpose addresses that may be connected to",
      ),
    )
    .addOption(
      repeatableOption("--allow-port <n>", "port that a monitor may name beside 80 and 443"),
    );
}

/** Adds what every command takes that publishes. */
export function addReleaseOptions(command: Command, shippedCatalogue: string): Command {
  const options = [
    catalogueOption(shippedCatalogue),
    catalogueOverlayOption(),
    monitorsOption(),
    storeOption(),
    stateOption(),
    option("--badge-language <ru|en>", "words on the badges", "ru"),
    baseUrlOption(),
    option(
      "--max-removals <share>",
      "largest share of our objects, or monitors, that may go at once",
      "0.2",
    ),
    option("--force", "remove however many are no longer wanted"),
    option("--audit", "look at every published object, as happens once an hour"),
    logOption(),
  ];
  for (const one of options) command.addOption(one);
  return addMonitorRules(command);
}

/** Adds what `run` and `watch` have in common. */
export function addRunOptions(command: Command, shippedCatalogue: string): Command {
  addReleaseOptions(command, shippedCatalogue);
  const options = [
    option("--concurrency <n>", "probes of services under way at once", "64"),
    option("--monitor-concurrency <n>", "checks of monitors under way at once", "256"),
    option(
      "--confirm <seconds>",
      "when a change is probed again: SECONDS,… or none; of the default, the last only in doubt",
      DEFAULT_CONFIRM,
    ),
    option("--deadline <seconds>", "what is not probed by then is skipped", "240"),
    option("--dns <server>", "resolver ADDR[:PORT]; tcp://ADDR[:PORT] asks over TCP"),
    repeatableOption(
      "--connect-to <rule>",
      "HOST:PORT:ADDR:PORT as curl has it, or @FILE with one a line",
    ),
    option("--extra-ca <file>", "PEM roots that are trusted for `trust: national` as well"),
    repeatableOption("--only <slug>", "probe only this service"),
    option("--heartbeat-url <url>", "requested after each valid run, for a dead-man's switch"),
    option(
      "--metrics-file <file>",
      "metrics of each run that published, for node_exporter: NAME.prom",
    ),
  ];
  for (const one of options) command.addOption(one);
  return command;
}

/** Adds what the commands take that edit the registry and publish at once. */
export function addMonitorOptions(command: Command, shippedCatalogue: string): Command {
  return addReleaseOptions(command, shippedCatalogue).addOption(atOption());
}

/** What the top of the help cannot say in a line: where to begin, the environment, the exit codes. */
export const HELP_FOOTER = `
Begin with:
  status-snapshot run      probes the 85 services of the shipped catalogue and writes
                           the API to the folder "public"; its memory is in ".state"
  status-snapshot serve    shows that folder at http://127.0.0.1:8080

Environment:
  Every option can be set as ${ENV_PREFIX}<OPTION>, for example
  ${ENV_PREFIX}EXTRA_CA=roots.pem for --extra-ca. The command line wins; an empty
  variable counts as not set. NODE_EXTRA_CA_CERTS adds roots for every endpoint.

Exit codes:
  0  done, published
  1  could not complete or publish; what was published before stands untouched
  2  options, configuration, catalogue or registry have to be mended; nothing was
     probed
  3  the runner itself is offline, so nothing is concluded about the services

Standard output carries results, standard error everything else.`;
