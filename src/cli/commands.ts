import type { Action, Call } from "../setup/io.ts";
import type { ExitCode } from "../setup/exit-codes.ts";
import type { Given } from "../setup/options/option-row.ts";
import {
  DOCTOR,
  type Flags,
  type GroupName,
  INTAKE,
  NOTIFY,
  PROBE,
  PUBLISH,
  readFlags,
  RUN,
  VANTAGE,
} from "../setup/options/options.ts";

/* The commands. The modules of a command are imported when it runs, which keeps `--help` fast. */

export interface CommandRow {
  /** Its words, then its arguments as commander writes them. */
  readonly usage: string;
  readonly help: string;
  readonly groups: readonly GroupName[];
  /** What an argument means, by its name. */
  readonly argumentHelp?: Readonly<Record<string, string>>;
  /** An old name, which the help does not show. */
  readonly isHidden?: true;
  readonly run: (
    given: Readonly<Record<string, Given>>,
    call: Omit<Call<never>, "flags">,
    args: readonly string[],
  ) => Promise<ExitCode>;
}

type Row = Omit<CommandRow, "usage">;

function command<const Name extends GroupName>(
  help: string,
  groups: readonly Name[],
  load: () => Promise<Action<Flags<Name | "settings">, string[]>>,
  more: Pick<Row, "argumentHelp"> = {},
): Row {
  const all = [...new Set<Name | "settings">(["settings", ...groups])];
  return {
    help,
    groups: all,
    ...more,
    run: async (given, call, args) => {
      const flags = readFlags(all, given, call.problems);
      return (await load())({ ...call, flags }, ...args);
    },
  };
}

const keygen = (owner: "vantage" | "notify" | "worker", help: string): Row =>
  command(help, ["keygen"], async () => {
    const { keygenCommand } = await import("./commands/keygen.ts");
    return (call) => keygenCommand(call, owner);
  });

const edit = (name: "remove" | "publish" | "unpublish", help: string): Row =>
  command(help, [...PUBLISH, "at"], async () => {
    const { monitorEditCommand } = await import("./commands/monitor-edit.ts");
    return (call, id = "") => monitorEditCommand(call, name, id);
  });

const block = (kind: "block" | "unblock", help: string): Row =>
  command(help, [...PUBLISH, "at"], async () => {
    const { monitorBlockCommand } = await import("./commands/monitor-owner.ts");
    return (call, host = "") => monitorBlockCommand(call, kind, host);
  });

const check = command(
  "validate a registry and count its monitors, or list every problem with its line",
  ["registry", "private", "ports"],
  async () => (await import("./commands/monitor-file.ts")).monitorCheckCommand,
);

/** What the words mean that only begin commands. */
export const PARENTS: Readonly<Record<string, string>> = {
  catalogue: "work on the catalogue of services",
  truth: "work on what is known of the services from elsewhere",
  report: "reports of users",
  monitor: "the registry of monitored sites, and the monitors that owners add",
};

/** By usage, in the order of the help. */
const ROWS: Readonly<Record<string, Row>> = {
  run: command(
    "probe everything once, decide, publish",
    [...RUN, "at"],
    async () => (await import("./commands/run.ts")).runCommand,
  ),
  watch: command(
    "a run every five minutes until stopped",
    ["watch", ...RUN],
    async () => (await import("./commands/watch.ts")).watchCommand,
  ),
  serve: command(
    "preview: serve a store as the CDN would, and accept reports",
    [...INTAKE, "serve"],
    async () => (await import("./commands/serve.ts")).serveCommand,
  ),
  "explain <slug>": command(
    "why a service has its verdict: evidence, decision, live, since",
    ["catalogue", "at", "state", "explainJson", "log"],
    async () => (await import("./commands/explain.ts")).explainCommand,
  ),
  "catalogue check [file]": command(
    "validate a catalogue and print a summary, or every problem with its line",
    ["catalogue"],
    async () => (await import("./commands/catalogue.ts")).catalogueCheckCommand,
  ),
  "catalogue audit": command(
    "what the runs show about the catalogue, with lines to change",
    ["catalogue", "state", "auditJson", "log"],
    async () => (await import("./commands/catalogue.ts")).catalogueAuditCommand,
  ),
  "catalogue trial": command(
    "ask every endpoint twice, say what answers, and propose an overlay",
    ["catalogue", "probe", "trial", "private", "trialJson", "log"],
    async () => (await import("./commands/catalogue-trial.ts")).catalogueTrialCommand,
  ),
  "truth check": command(
    "validate a truth file and count its entries, or print every problem with its line",
    ["catalogue", "truth"],
    async () => (await import("./commands/catalogue.ts")).truthCheckCommand,
  ),
  refresh: command(
    "count new reports, decide again, publish; probes nothing",
    [...PUBLISH, "at"],
    async () => (await import("./commands/run.ts")).refreshCommand,
  ),
  "report add <slug>": command(
    "count reports by hand, each as if from a network of its own",
    [...PUBLISH, "report", "at"],
    async () => (await import("./commands/report-add.ts")).reportAddCommand,
  ),
  intake: command(
    "accept reports of users over HTTP, and publish their counts at once",
    [...INTAKE, "operations"],
    async () => (await import("./commands/intake.ts")).intakeCommand,
  ),
  "monitor add <url>": command(
    "register a site; prints where its badge is",
    [...PUBLISH, "at", "add"],
    async () => (await import("./commands/monitor-edit.ts")).monitorAddCommand,
  ),
  "monitor list": command(
    "every monitor with the result of its last checks",
    ["registry", "state", "private", "ports", "list", "listJson", "log"],
    async () => (await import("./commands/monitor-list.ts")).monitorListCommand,
  ),
  "monitor check [file]": check,
  "monitor remove <id>": edit("remove", "remove a site with its history and badges"),
  "monitor publish <id>": edit("publish", "switch the page and badges of a monitor on"),
  "monitor unpublish <id>": edit(
    "unpublish",
    "switch the page and badges of a monitor off; it is still checked",
  ),
  "monitor convert <from> <to>": command(
    "write a registry in another form: shards if TO ends with /, else by its name",
    ["private", "ports", "convert", "log"],
    async () => (await import("./commands/monitor-file.ts")).monitorConvertCommand,
  ),
  "monitor block <host>": block(
    "block",
    "refuse monitors that owners add of this host, now and in future",
  ),
  "monitor unblock <host>": block("unblock", "accept monitors of this host again"),
  "monitor export <id>": command(
    "everything that is stored about a monitor that its owner has added, as JSON",
    ["state", "log"],
    async () => (await import("./commands/monitor-owner.ts")).monitorExportCommand,
  ),
  // The old name of `monitor check`, for one more version.
  "monitors check [file]": { ...check, isHidden: true },
  vantage: command(
    "probe from elsewhere what the runner asks for, and sign the answer",
    VANTAGE,
    async () => (await import("./commands/vantage.ts")).vantageCommand,
  ),
  "vantage watch": command(
    "answer every ask until stopped",
    [...VANTAGE, "vantageWatch"],
    async () => (await import("./commands/vantage.ts")).vantageWatchCommand,
  ),
  "vantage keygen": keygen("vantage", "make the key of a vantage; prints its public half"),
  notify: command(
    "tell what has changed: of services to channels and visitors, of monitors to their owners",
    [...NOTIFY, "at"],
    async () => (await import("./commands/notify.ts")).notifyCommand,
  ),
  "notify watch": command(
    "tell what changes until stopped",
    [...NOTIFY, "notifyWatch"],
    async () => (await import("./commands/notify.ts")).notifyWatchCommand,
  ),
  "notify test <channel>": command(
    "send one message to a channel that says that it is a test",
    ["channels", "named", ...PROBE, "log"],
    async () => (await import("./commands/notify.ts")).notifyTestCommand,
    { argumentHelp: { channel: "id of a channel in the file" } },
  ),
  "notify keygen": keygen(
    "notify",
    "make the key of a notifier; prints the setting of its public half",
  ),
  worker: command(
    "check sites for publishers elsewhere, through a NATS server",
    ["engine", "worker", "anchors", ...PROBE, "log"],
    async () => (await import("./commands/worker.ts")).workerCommand,
  ),
  "worker keygen": keygen("worker", "make a key for the server; prints its public half"),
  config: command(
    "print every setting, its value, and where that comes from",
    ["configJson", "log"],
    async () => (await import("./commands/config.ts")).configCommand,
  ),
  "verify <base-url>": command(
    "check a live deployment against the specification, check by check",
    ["verify", "verifyJson", "log"],
    async () => (await import("./commands/verify.ts")).verifyCommand,
  ),
  doctor: command(
    "check everything that a run needs: catalogue, stores, resolver, clock, anchors",
    DOCTOR,
    async () => (await import("./commands/doctor.ts")).doctorCommand,
  ),
};

export const COMMANDS: readonly CommandRow[] = Object.entries(ROWS).map(([usage, row]) => ({
  usage,
  ...row,
}));

/** The words of a command, without its arguments: "monitor add". */
export function nameOfCommand({ usage }: CommandRow): string {
  return usage.replace(/ [<[].*$/u, "");
}
