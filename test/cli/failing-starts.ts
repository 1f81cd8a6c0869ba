import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { eventsOf, until } from "./cli.ts";
import {
  holdPort,
  isFree,
  MAX_MS,
  type LongCommand,
  openStartHarness,
  SECRET,
  type StartHarness,
} from "./start-harness.ts";

/** Changes that make a start fail. */
interface Spoilt {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

/** A start that fails, and the expected end of the process. */
export interface FailingStart {
  readonly name: string;
  readonly commands: readonly LongCommand[];
  readonly spoil: (harness: StartHarness) => Promise<Spoilt> | Spoilt;
  /** 1: a port, disk or store failed. 2: the user has to fix something, so a supervisor need not retry. */
  readonly code: 1 | 2;
  /** The expected message. */
  readonly message: RegExp;
}

const TAKEN = /Cannot listen on 127\.0\.0\.1, port \d+: another program listens there/u;

/** Lets another program listen on a port. */
async function occupy(harness: StartHarness, port: number): Promise<Spoilt> {
  const other = await holdPort(port);
  harness.atEnd(other.close);
  return {};
}

/** Ports in use, which are found before any request to a store. */
export const WITHOUT_PORT: readonly FailingStart[] = [
  {
    name: "the port is in use",
    commands: ["intake", "serve"],
    spoil: (harness) => occupy(harness, harness.port),
    code: 1,
    message: TAKEN,
  },
  {
    name: "the port of health and metrics is in use",
    commands: ["intake"],
    spoil: (harness) => occupy(harness, harness.operationsPort),
    code: 1,
    message: TAKEN,
  },
];

/** Rarer cases of the same. */
export const WITHOUT_OTHER_PORT: readonly FailingStart[] = [
  {
    name: "both ports are the same",
    commands: ["intake"],
    spoil: ({ port }) => ({ args: ["--set", `operationsPort=${port}`] }),
    code: 1,
    message: TAKEN,
  },
  {
    name: "the host is an address of another machine",
    commands: ["intake", "serve"],
    // An address for documentation (RFC 5737).
    spoil: () => ({ args: ["--host", "192.0.2.1"] }),
    code: 1,
    message: /Cannot listen on 192\.0\.2\.1, .*this machine has no such address/u,
  },
  {
    name: "the host is a URL",
    commands: ["intake", "serve"],
    spoil: () => ({ args: ["--host", "http://127.0.0.1:8081"] }),
    code: 2,
    message: /^--host http:.*without a scheme/u,
  },
  {
    name: "the host is empty",
    commands: ["intake", "serve"],
    spoil: () => ({ args: ["--host", ""] }),
    code: 2,
    message: /^--host : give an address/u,
  },
];

/** The user `nobody`. */
export const NOBODY = 65_534;

/** Need root, which alone may start a process of another user. */
export const WITHOUT_RIGHTS: readonly FailingStart[] = [
  {
    name: "this user may not listen on the port",
    commands: ["intake", "serve"],
    spoil: async (harness) => {
      await openToAll(harness);
      return { args: ["--port", "99"], uid: NOBODY };
    },
    code: 1,
    message: /Cannot listen on 127\.0\.0\.1, port 99: this user may not listen there/u,
  },
  {
    name: "the journal cannot be written",
    commands: ["intake"],
    spoil: async (harness) => {
      await openToAll(harness);
      await mkdir(join(harness.folder, "journal"), { mode: 0o755 });
      return { args: ["--set", "journal=journal"], uid: NOBODY };
    },
    code: 2,
    message: /^journal journal: reports cannot be kept there \(EACCES/u,
  },
  {
    name: "the secret beside the journal cannot be read",
    commands: ["intake"],
    spoil: async (harness) => {
      await openToAll(harness);
      const folder = join(harness.folder, "journal");
      await mkdir(folder);
      await harness.write("journal/secret.bin", SECRET);
      await Promise.all([chmod(folder, 0o777), chmod(join(folder, "secret.bin"), 0o600)]);
      return { args: ["--set", "journal=journal"], uid: NOBODY };
    },
    code: 2,
    message: /^journal journal: .*EACCES.*secret\.bin/u,
  },
];

/** The folder of a harness is private by default. */
function openToAll({ folder }: StartHarness): Promise<void> {
  return chmod(folder, 0o755);
}

/** Faults of the journal, which is opened before the store. */
export const WITHOUT_JOURNAL: readonly FailingStart[] = [
  {
    name: "the journal is a file",
    commands: ["intake"],
    spoil: async (harness) => {
      await harness.write("journal", "no folder");
      return { args: ["--set", "journal=journal"] };
    },
    code: 2,
    message: /^journal journal: reports cannot be kept there \(E/u,
  },
  {
    name: "the journal cannot be created",
    commands: ["intake"],
    // Not even root can create a folder there.
    spoil: () => ({ args: ["--set", "journal=/proc/journal"] }),
    code: 2,
    message: /^journal \/proc\/journal: reports cannot be kept there \(E/u,
  },
  {
    name: "the secret beside the journal is a folder",
    commands: ["intake"],
    spoil: async (harness) => {
      await mkdir(join(harness.folder, "journal/secret.bin"), { recursive: true });
      return { args: ["--set", "journal=journal"] };
    },
    code: 2,
    message: /^journal journal: .*EISDIR/u,
  },
  {
    name: "a file of the journal is a folder",
    commands: ["intake"],
    spoil: async (harness) => {
      const id = `${Date.now()}-00000000-0000-4000-8000-000000000000`;
      await mkdir(join(harness.folder, `journal/${id}.sealed`), { recursive: true });
      return { args: ["--set", "journal=journal"] };
    },
    code: 2,
    message: /^journal journal: .*EISDIR/u,
  },
];

/** Faults of the stores, which are used after ports and journal. */
export const WITHOUT_STORE: readonly FailingStart[] = [
  {
    name: "the credentials are refused",
    commands: ["intake"],
    spoil: ({ s3 }) => {
      s3.moods.isRefused = () => true;
      return {};
    },
    code: 1,
    message: /these credentials do not allow that.* Without a journal an intake cannot start/su,
  },
  {
    name: "the secret in the state store is damaged",
    commands: ["intake"],
    spoil: ({ s3 }) => {
      s3.objects.set("state/intake-secret.bin", Buffer.alloc(5));
      return {};
    },
    code: 1,
    message: /intake-secret\.bin is damaged, it has 5 bytes in place of 32/u,
  },
  {
    name: "the secret in the state store is empty, with a good copy beside the journal",
    commands: ["intake"],
    spoil: async (harness) => {
      harness.s3.objects.set("state/intake-secret.bin", Buffer.alloc(0));
      await leaveCopy(harness, SECRET);
      return { args: ["--set", "journal=journal"] };
    },
    code: 1,
    message: /intake-secret\.bin is damaged, it has 0 bytes in place of 32/u,
  },
  {
    name: "the copy of the secret is damaged and the state store is down",
    commands: ["intake"],
    spoil: async (harness) => {
      await harness.s3.setUp(false);
      await leaveCopy(harness, SECRET.subarray(0, 5));
      return { args: ["--set", "journal=journal"] };
    },
    code: 1,
    message: /nothing listens at the endpoint.* first start with the journal journal/su,
  },
  {
    name: "the state store is down",
    commands: ["intake"],
    spoil: async ({ s3 }) => {
      await s3.setUp(false);
      return {};
    },
    code: 1,
    message: /nothing listens at the endpoint.* Without a journal/su,
  },
  {
    name: "the state store never answers",
    commands: ["intake"],
    spoil: ({ s3 }) => {
      s3.moods.isHanging = true;
      return {};
    },
    code: 1,
    message: /did not answer in time.* Without a journal/su,
  },
  {
    name: "the public store is down",
    commands: ["serve"],
    spoil: async ({ s3 }) => {
      await s3.setUp(false);
      return {};
    },
    code: 1,
    message: /nothing listens at the endpoint/u,
  },
  {
    name: "there are no credentials",
    commands: ["intake", "serve"],
    spoil: () => ({
      env: {
        AWS_ACCESS_KEY_ID: "",
        AWS_SECRET_ACCESS_KEY: "",
        AWS_EC2_METADATA_DISABLED: "true",
      },
    }),
    code: 1,
    message: /no credentials were found/u,
  },
  {
    name: "the state store ignores conditions",
    commands: ["intake"],
    spoil: ({ s3 }) => {
      s3.moods.ignoresConditions = true;
      return {};
    },
    code: 1,
    message: /ignores the conditions of writes/u,
  },
  {
    name: "a file is where the state folder should be",
    commands: ["intake"],
    spoil: async (harness) => {
      await harness.write("wall", "no folder");
      return { args: ["--state", "file:wall"] };
    },
    code: 1,
    message: /a file is in the place of a folder/u,
  },
  {
    name: "the state is damaged",
    commands: ["intake"],
    spoil: ({ s3 }) => {
      s3.objects.set("state/state.json.gz", Buffer.from("no state"));
      return {};
    },
    code: 1,
    message: /^state\.json\.gz in s3:/u,
  },
];

async function leaveCopy(harness: StartHarness, secret: Uint8Array): Promise<void> {
  await mkdir(join(harness.folder, "journal"));
  await harness.write("journal/secret.bin", secret);
}

/** Mistakes in the catalogue and the registry. */
export const WITH_MISTAKES: readonly FailingStart[] = [
  {
    name: "the catalogue is broken",
    commands: ["intake", "serve", "watch"],
    spoil: async (harness) => {
      await harness.write("catalogue.json", "{");
      return {};
    },
    code: 2,
    message: /^catalogue\.json:\d+:\d+: /u,
  },
  {
    name: "the catalogue does not exist",
    commands: ["intake", "serve", "watch"],
    spoil: () => ({ args: ["--catalogue", "nowhere.yaml"] }),
    code: 2,
    message: /^catalogue nowhere\.yaml: /u,
  },
  {
    name: "the registry is broken",
    commands: ["intake", "serve", "watch"],
    spoil: async (harness) => {
      await harness.write("monitors.yaml", "monitors: [");
      return {};
    },
    code: 2,
    message: /^monitors\.yaml:\d+:\d+: /u,
  },
  {
    name: "the given registry does not exist",
    commands: ["intake", "serve", "watch"],
    spoil: () => ({ args: ["--monitors", "nowhere.yaml"] }),
    code: 2,
    message: /^--monitors nowhere\.yaml: the registry does not exist/u,
  },
];

/** Each case with each of its commands, as rows of a test. */
export function rowsOf(
  cases: readonly FailingStart[],
): readonly (FailingStart & { readonly command: LongCommand })[] {
  return cases.flatMap((one) => one.commands.map((command) => ({ ...one, command })));
}

/** Expects that a failing start logs the reason, ends, frees its ports, and publishes nothing. */
export async function expectFailure(
  { command, spoil, code, message }: FailingStart & { readonly command: LongCommand },
  atEnd: StartHarness["atEnd"],
): Promise<void> {
  const harness = await openStartHarness(atEnd);
  const { args = [], ...options } = await spoil(harness);
  const isHeld = !(await isFree(harness.port));
  const before = await harness.published();
  const result = await harness.start(command, args, options).ended;
  expect(result).toMatchObject({ code, stdout: "" });
  // A stack trace would not be JSON.
  const told = eventsOf(result.stderr).filter(({ level }) => level === "error");
  expect(told).toEqual([
    expect.objectContaining({
      event: code === 2 ? "refused" : "failed",
      message: expect.stringMatching(message),
    }),
  ]);
  expect(await harness.published()).toEqual(before);
  if (!isHeld) await until("the port is free", () => isFree(harness.port), MAX_MS);
}
