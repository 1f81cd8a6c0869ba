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
  MAX_MS,
  type LongCommand,
  openStartHarness,
  SECRET,
  type StartHarness,
} from "./start-harness.ts";

/** A point at which a process waits until the test releases it. */
interface Moment {
  /** Arguments with which the process reaches the point. */
  readonly args?: readonly string[];
  /** Resolves when the process has reached the point. */
  readonly reached: (running: RunningCli) => Promise<unknown>;
  /** Lets the process finish its work; if absent, it must end without an answer. */
  readonly goOn?: () => void;
  /** How often the process has sent the unanswered request; a process that waits for the timeout sends another. */
  readonly requests?: () => number;
}

/** A stop at a point, and what must be published afterwards. */
export interface StoppedStart {
  readonly name: string;
  readonly command: LongCommand;
  readonly prepare: (harness: StartHarness) => Promise<Moment> | Moment;
  readonly publishes: "nothing" | "everything";
}

const SILENT_REGISTRY = "GET registry/monitors.jsonl";

/** An unanswered request, while there is no work to finish. */
function silent(
  command: LongCommand,
  name: string,
  request: string,
  args: (harness: StartHarness) => readonly string[] | Promise<readonly string[]> = () => [],
): StoppedStart {
  return {
    name,
    command,
    publishes: "nothing",
    prepare: async (harness) => {
      const { reached, requests } = closeGate(harness.s3, request);
      return { args: await args(harness), reached: () => reached, requests };
    },
  };
}

/** The first document is being written. */
function publishing(command: LongCommand): StoppedStart {
  return {
    name: "during the first publish",
    command,
    publishes: "everything",
    prepare: ({ s3 }) => {
      const { reached, open } = closeGate(s3, "PUT public/");
      return { reached: () => reached, goOn: open };
    },
  };
}

const registryOf = ({ s3 }: StartHarness): readonly string[] => [
  "--monitors",
  s3.url("registry").replace("/registry?", "/registry/monitors.jsonl?"),
];

/** With a used journal, it would soon start without the store. */
async function usedJournal({ folder, write }: StartHarness): Promise<readonly string[]> {
  await mkdir(join(folder, "journal"));
  await write("journal/secret.bin", SECRET);
  return ["--set", "journal=journal"];
}

/** Work in progress at the second signal. */
export const PUBLISHING: readonly StoppedStart[] = [publishing("intake"), publishing("watch")];

/** The points that are always tested. */
export const MOMENTS: readonly StoppedStart[] = [
  silent("intake", "while the state store does not answer", "GET state/intake-secret.bin"),
  ...PUBLISHING,
];

/** The same mechanisms at other points. */
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
  silent("intake", "while it tests conditional writes of the store", "PUT state/intake/"),
  silent("intake", "while the secret is being written", "PUT state/intake-secret.bin"),
  silent("intake", "while the state is being read", "GET state/state.json.gz"),
  {
    name: "while it accepts reports",
    command: "intake",
    publishes: "everything",
    prepare: () => ({
      reached: ({ stdout }) =>
        until("it takes reports", () => stdout().includes("Taking reports"), MAX_MS),
    }),
  },
  {
    name: "while it serves",
    command: "serve",
    publishes: "nothing",
    prepare: () => ({
      reached: ({ stdout }) => until("it serves", () => stdout().includes("Try http"), MAX_MS),
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
          await until("it serves", () => stdout().includes("Try http"), MAX_MS);
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
    prepare: async (harness) => {
      // Accepts connections, and never answers.
      const server = createServer((socket) => socket.on("error", () => undefined));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      harness.atEnd(() => void server.close());
      const { port } = Object(server.address());
      await harness.connectTo(port);
      return { reached: () => once(server, "connection") };
    },
  },
  {
    name: "between two runs",
    command: "watch",
    publishes: "everything",
    prepare: () => ({
      reached: ({ stderr }) =>
        until("a run has ended", () => stderr().includes('"event":"run-finished"'), MAX_MS),
    }),
  },
];

/** A process lives shorter than this after its command has ended, so one that still runs has unfinished work. */
const ENDED_MS = 1_500;

/** Stops a process at the point, and expects that it ends with 0, frees its ports and leaves nothing unfinished. */
export async function expectStop(
  { command, prepare, publishes }: StoppedStart,
  signal: NodeJS.Signals,
  atEnd: StartHarness["atEnd"],
): Promise<void> {
  const harness = await openStartHarness(atEnd);
  const { args, reached, requests, goOn } = await prepare(harness);
  const running = harness.start(command, args);
  await Promise.race([reached(running), running.ended]);
  expect(running.child.exitCode).toBe(null);
  running.child.kill(signal);
  if (goOn !== undefined) {
    // Servers show by this that they have received the signal.
    if (command !== "watch") await until("the port is free", () => isFree(harness.port), MAX_MS);
    await delay(ENDED_MS);
    expect(running.child.exitCode).toBe(null);
    goOn();
  }
  const { code, stderr } = await running.ended;
  expect({ code, signal: running.child.signalCode }).toEqual({ code: 0, signal: null });
  if (requests !== undefined) expect(requests()).toBe(1);
  // A stack trace would not be JSON.
  expect(eventsOf(stderr).filter(({ event }) => event === "failed")).toEqual([]);
  await until("the port is free", () => isFree(harness.port), MAX_MS);
  await until("the port is free", () => isFree(harness.operationsPort), MAX_MS);
  const published = await harness.published();
  if (publishes === "nothing") return expect(published).toEqual(new Map());
  expect(eventsNamed(stderr, "published").length).toBeGreaterThanOrEqual(1);
  const keys = ["public/api/v1/status", "public/api/v1/status/alpha", "state/state.json.gz"];
  expect([...published.keys()]).toEqual(expect.arrayContaining(keys));
}

/** A little less than the time in which two signals count as one. */
const AGAIN_MS = 700;

/** Sends the signal repeatedly to a process with unfinished work, and expects that this ends it. */
export async function expectSecondStop(
  { command, prepare }: StoppedStart,
  signal: NodeJS.Signals,
  atEnd: StartHarness["atEnd"],
): Promise<void> {
  const harness = await openStartHarness(atEnd);
  const { args, reached } = await prepare(harness);
  const running = harness.start(command, args);
  const { child, ended, stderr } = running;
  await Promise.race([reached(running), ended]);
  while (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await Promise.race([delay(AGAIN_MS), ended]);
  }
  expect({ code: child.exitCode, signal: child.signalCode }).toEqual({ code: null, signal });
  expect(eventsNamed(stderr(), "failed")).toEqual([]);
  await until("the port is free", () => isFree(harness.port), MAX_MS);
  await until("the port is free", () => isFree(harness.operationsPort), MAX_MS);
}
