import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { eventsNamed, eventsOf, type RunningCli, until } from "./cli.ts";
import {
  closeGate,
  isFree,
  LONGEST_MS,
  type LongCommand,
  openStartLab,
  SECRET,
  type StartLab,
} from "./start-lab.ts";

/** A moment in the life of a process, which lasts until the test lets it go on. */
interface Moment {
  /** Arguments that lead to the moment. */
  readonly args?: readonly string[];
  /** Resolves when the process has come to it. */
  readonly reached: (running: RunningCli) => Promise<unknown>;
  /** Lets a process go on that may finish what it has in hand; otherwise it must end although nobody answers it. */
  readonly goOn?: () => void;
  /** How often the process has sent the request that is not answered: one that waits until it times out sends it, or another, again. */
  readonly requests?: () => number;
}

/** A stop at a moment, and what has to be published afterwards. */
export interface StoppedStart {
  readonly name: string;
  readonly command: LongCommand;
  readonly prepare: (lab: StartLab) => Promise<Moment> | Moment;
  readonly publishes: "nothing" | "everything";
}

const SILENT_REGISTRY = "GET registry/monitors.jsonl";

/** A request that is not answered, during which nothing is in hand that has to be finished. */
function silent(
  command: LongCommand,
  name: string,
  request: string,
  args: (lab: StartLab) => readonly string[] | Promise<readonly string[]> = () => [],
): StoppedStart {
  return {
    name,
    command,
    publishes: "nothing",
    prepare: async (lab) => {
      const { reached, requests } = closeGate(lab.s3, request);
      return { args: await args(lab), reached: () => reached, requests };
    },
  };
}

/** The first document is being written. */
function publishing(command: LongCommand): StoppedStart {
  return {
    name: "while the first publish is under way",
    command,
    publishes: "everything",
    prepare: ({ s3 }) => {
      const { reached, open } = closeGate(s3, "PUT public/");
      return { reached: () => reached, goOn: open };
    },
  };
}

const registryOf = ({ s3 }: StartLab): readonly string[] => [
  "--monitors",
  s3.url("registry").replace("/registry?", "/registry/monitors.jsonl?"),
];

/** With a journal that an intake has used, it would soon begin without the store. */
async function usedJournal({ folder, write }: StartLab): Promise<readonly string[]> {
  await mkdir(join(folder, "journal"));
  await write("journal/secret.bin", SECRET);
  return ["--journal", "journal"];
}

/** What can be in hand when the second signal comes. */
export const PUBLISHING: readonly StoppedStart[] = [publishing("intake"), publishing("watch")];

/** Moments that every change of a start has to keep. */
export const MOMENTS: readonly StoppedStart[] = [
  silent("intake", "while the state store does not answer", "GET state/intake-secret.bin"),
  ...PUBLISHING,
];

/** The same mechanisms at other moments. */
export const OTHER_MOMENTS: readonly StoppedStart[] = [
  silent("serve", "while the public store does not answer", "GET public/api/v1/status"),
  silent("watch", "while the state store does not answer", "GET state/state.json.gz"),
  silent("intake", "while the registry does not answer", SILENT_REGISTRY, registryOf),
  silent("serve", "while the registry does not answer", SILENT_REGISTRY, registryOf),
  silent("watch", "while the registry does not answer", SILENT_REGISTRY, registryOf),
  silent(
    "intake",
    "with a journal, while the state store does not answer",
    "GET state/intake-secret.bin",
    usedJournal,
  ),
  silent("intake", "while it tries whether the store can be shared", "PUT state/intake/"),
  silent("intake", "while the secret is being written", "PUT state/intake-secret.bin"),
  silent("intake", "while the state is being read", "GET state/state.json.gz"),
  {
    name: "while it takes reports",
    command: "intake",
    publishes: "everything",
    prepare: () => ({
      reached: ({ stdout }) =>
        until("it takes reports", () => stdout().includes("Taking reports"), LONGEST_MS),
    }),
  },
  {
    name: "while it serves",
    command: "serve",
    publishes: "nothing",
    prepare: () => ({
      reached: ({ stdout }) => until("it serves", () => stdout().includes("Try http"), LONGEST_MS),
    }),
  },
  {
    name: "while the first report waits for the state store",
    command: "serve",
    publishes: "nothing",
    prepare: ({ s3, port }) => {
      const { reached, requests } = closeGate(s3, "GET state/intake-secret.bin");
      return {
        requests,
        reached: async ({ stdout }) => {
          await until("it serves", () => stdout().includes("Try http"), LONGEST_MS);
          const report = fetch(`http://127.0.0.1:${port}/report/alpha`, { method: "POST" });
          // Its connection is cut or answered with 503, whichever comes first.
          report.then(({ status }) => expect(status).toBe(503)).catch(() => undefined);
          await reached;
        },
      };
    },
  },
  {
    name: "while it probes",
    command: "watch",
    publishes: "nothing",
    prepare: async (lab) => {
      // Takes connections, and says nothing.
      const server = createServer((socket) => socket.on("error", () => undefined));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      lab.atEnd(() => void server.close());
      const { port } = Object(server.address());
      await lab.connectTo(port);
      return { reached: () => once(server, "connection") };
    },
  },
  {
    name: "between two runs",
    command: "watch",
    publishes: "everything",
    prepare: () => ({
      reached: ({ stderr }) =>
        until("a run has ended", () => stderr().includes('"event":"run-finished"'), LONGEST_MS),
    }),
  },
];

/** Longer than a process lives whose command has ended: one that is still there has something in hand. */
const HAND_MS = 1_500;

/** Stops a process at the moment, and expects that it ends with 0, frees its ports and leaves nothing half done. */
export async function expectStop(
  { command, prepare, publishes }: StoppedStart,
  signal: NodeJS.Signals,
  atEnd: StartLab["atEnd"],
): Promise<void> {
  const lab = await openStartLab(atEnd);
  const { args, reached, requests, goOn } = await prepare(lab);
  const running = lab.start(command, args);
  await Promise.race([reached(running), running.ended]);
  expect(running.child.exitCode).toBe(null);
  running.child.kill(signal);
  if (goOn !== undefined) {
    // Those that listen show by this that they have heard it.
    if (command !== "watch") await until("the port is free", () => isFree(lab.port), LONGEST_MS);
    await delay(HAND_MS);
    expect(running.child.exitCode).toBe(null);
    goOn();
  }
  const { code, stderr } = await running.ended;
  expect({ code, signal: running.child.signalCode }).toEqual({ code: 0, signal: null });
  if (requests !== undefined) expect(requests()).toBe(1);
  // A stack would be no line of JSON.
  expect(eventsOf(stderr).filter(({ event }) => event === "failed")).toEqual([]);
  await until("the port is free", () => isFree(lab.port), LONGEST_MS);
  await until("the port is free", () => isFree(lab.operationsPort), LONGEST_MS);
  const published = await lab.published();
  if (publishes === "nothing") return expect(published).toEqual(new Map());
  expect(eventsNamed(stderr, "published").length).toBeGreaterThanOrEqual(1);
  const keys = ["public/api/v1/status", "public/api/v1/status/alpha", "state/state.json.gz"];
  expect([...published.keys()]).toEqual(expect.arrayContaining(keys));
}

/** A little less than what counts as one signal: a terminal and `npm start` both send theirs. */
const AGAIN_MS = 700;

/** Sends the signal again and again to a process that has something in hand, as an impatient user does, and expects that this ends it. */
export async function expectSecondStop(
  { command, prepare }: StoppedStart,
  signal: NodeJS.Signals,
  atEnd: StartLab["atEnd"],
): Promise<void> {
  const lab = await openStartLab(atEnd);
  const { args, reached } = await prepare(lab);
  const running = lab.start(command, args);
  const { child, ended, stderr } = running;
  await Promise.race([reached(running), ended]);
  while (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await Promise.race([delay(AGAIN_MS), ended]);
  }
  expect({ code: child.exitCode, signal: child.signalCode }).toEqual({ code: null, signal });
  expect(eventsNamed(stderr(), "failed")).toEqual([]);
  await until("the port is free", () => isFree(lab.port), LONGEST_MS);
  await until("the port is free", () => isFree(lab.operationsPort), LONGEST_MS);
}
