import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { eventsOf, until } from "./cli.ts";
import {
  holdPort,
  isFree,
  LONGEST_MS,
  type LongCommand,
  openStartLab,
  SECRET,
  type StartLab,
} from "./start-lab.ts";

/** What a case changes of a start that would succeed. */
interface Spoilt {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

/** A start that fails, and how the process has to end. */
export interface FailingStart {
  readonly name: string;
  readonly commands: readonly LongCommand[];
  readonly spoil: (lab: StartLab) => Promise<Spoilt> | Spoilt;
  /** 1: the world around us failed. 2: the user has to change something, so a supervisor need not try again. */
  readonly code: 1 | 2;
  /** Of the message that says why. */
  readonly message: RegExp;
}

const TAKEN = /Cannot listen on 127\.0\.0\.1, port \d+: another program listens there/u;

/** Another program on a port of the lab. */
async function take(lab: StartLab, port: number): Promise<Spoilt> {
  const other = await holdPort(port);
  lab.atEnd(other.close);
  return {};
}

/** Ports that are taken: found before a store is asked for anything. */
export const WITHOUT_PORT: readonly FailingStart[] = [
  {
    name: "the port is taken",
    commands: ["intake", "serve"],
    spoil: (lab) => take(lab, lab.port),
    code: 1,
    message: TAKEN,
  },
  {
    name: "the port of health and metrics is taken",
    commands: ["intake"],
    spoil: (lab) => take(lab, lab.operationsPort),
    code: 1,
    message: TAKEN,
  },
];

/** The same, less often met. */
export const WITHOUT_OTHER_PORT: readonly FailingStart[] = [
  {
    name: "both ports are the same",
    commands: ["intake"],
    spoil: ({ port }) => ({ args: ["--operations-port", `${port}`] }),
    code: 1,
    message: TAKEN,
  },
  {
    name: "the host is an address of another machine",
    commands: ["intake", "serve"],
    // For documentation (RFC 5737), so it is nobody's.
    spoil: () => ({ args: ["--host", "192.0.2.1"] }),
    code: 1,
    message: /Cannot listen on 192\.0\.2\.1, .*this machine has no such address/u,
  },
  {
    name: "the host is none",
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

/** Nobody, who owns nothing. */
export const NOBODY = 65_534;

/** What only root can try: it alone may start a process of another user. */
export const WITHOUT_RIGHTS: readonly FailingStart[] = [
  {
    name: "this user may not listen on the port",
    commands: ["intake", "serve"],
    spoil: async (lab) => {
      await openToAll(lab);
      return { args: ["--port", "99"], uid: NOBODY };
    },
    code: 1,
    message: /Cannot listen on 127\.0\.0\.1, port 99: this user may not listen there/u,
  },
  {
    name: "the journal cannot be written",
    commands: ["intake"],
    spoil: async (lab) => {
      await openToAll(lab);
      await mkdir(join(lab.folder, "journal"), { mode: 0o755 });
      return { args: ["--journal", "journal"], uid: NOBODY };
    },
    code: 2,
    message: /^--journal journal: reports cannot be kept there \(EACCES/u,
  },
  {
    name: "the secret beside the journal cannot be read",
    commands: ["intake"],
    spoil: async (lab) => {
      await openToAll(lab);
      const folder = join(lab.folder, "journal");
      await mkdir(folder);
      await lab.write("journal/secret.bin", SECRET);
      await Promise.all([chmod(folder, 0o777), chmod(join(folder, "secret.bin"), 0o600)]);
      return { args: ["--journal", "journal"], uid: NOBODY };
    },
    code: 2,
    message: /^--journal journal: .*EACCES.*secret\.bin/u,
  },
];

/** The folder of a lab is for its owner alone. */
function openToAll({ folder }: StartLab): Promise<void> {
  return chmod(folder, 0o755);
}

/** The journal, which is looked at before the store. */
export const WITHOUT_JOURNAL: readonly FailingStart[] = [
  {
    name: "the journal is a file",
    commands: ["intake"],
    spoil: async (lab) => {
      await lab.write("journal", "no folder");
      return { args: ["--journal", "journal"] };
    },
    code: 2,
    message: /^--journal journal: reports cannot be kept there \(E/u,
  },
  {
    name: "the journal cannot be made",
    commands: ["intake"],
    // Not even root can make a folder there.
    spoil: () => ({ args: ["--journal", "/proc/journal"] }),
    code: 2,
    message: /^--journal \/proc\/journal: reports cannot be kept there \(E/u,
  },
  {
    name: "the secret beside the journal is a folder",
    commands: ["intake"],
    spoil: async (lab) => {
      await mkdir(join(lab.folder, "journal/secret.bin"), { recursive: true });
      return { args: ["--journal", "journal"] };
    },
    code: 2,
    message: /^--journal journal: .*EISDIR/u,
  },
  {
    name: "a file of the journal is a folder",
    commands: ["intake"],
    spoil: async (lab) => {
      const id = `${Date.now()}-00000000-0000-4000-8000-000000000000`;
      await mkdir(join(lab.folder, `journal/${id}.sealed`), { recursive: true });
      return { args: ["--journal", "journal"] };
    },
    code: 2,
    message: /^--journal journal: .*EISDIR/u,
  },
];

/** The stores, which are met when ports and journal are there. */
export const WITHOUT_STORE: readonly FailingStart[] = [
  {
    name: "the credentials are refused",
    commands: ["intake"],
    spoil: ({ s3 }) => {
      s3.moods.isRefused = () => true;
      return {};
    },
    code: 1,
    message: /these credentials may not do that.* Without --journal an intake cannot start/su,
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
    spoil: async (lab) => {
      lab.s3.objects.set("state/intake-secret.bin", Buffer.alloc(0));
      await leaveCopy(lab, SECRET);
      return { args: ["--journal", "journal"] };
    },
    code: 1,
    message: /intake-secret\.bin is damaged, it has 0 bytes in place of 32/u,
  },
  {
    name: "the copy of the secret is damaged and the state store is down",
    commands: ["intake"],
    spoil: async (lab) => {
      await lab.s3.setUp(false);
      await leaveCopy(lab, SECRET.subarray(0, 5));
      return { args: ["--journal", "journal"] };
    },
    code: 1,
    message: /nothing listens at the endpoint.* first start with --journal journal/su,
  },
  {
    name: "the state store is down",
    commands: ["intake"],
    spoil: async ({ s3 }) => {
      await s3.setUp(false);
      return {};
    },
    code: 1,
    message: /nothing listens at the endpoint.* Without --journal/su,
  },
  {
    name: "the state store takes requests and never answers",
    commands: ["intake"],
    spoil: ({ s3 }) => {
      s3.moods.isHanging = true;
      return {};
    },
    code: 1,
    message: /did not answer in time.* Without --journal/su,
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
    name: "a file stands where the state belongs",
    commands: ["intake"],
    spoil: async (lab) => {
      await lab.write("wall", "no folder");
      return { args: ["--state", "file:wall"] };
    },
    code: 1,
    message: /a file stands where a folder is needed/u,
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

async function leaveCopy(lab: StartLab, secret: Uint8Array): Promise<void> {
  await mkdir(join(lab.folder, "journal"));
  await lab.write("journal/secret.bin", secret);
}

/** Files that people write. */
export const WITH_MISTAKES: readonly FailingStart[] = [
  {
    name: "the catalogue is broken",
    commands: ["intake", "serve", "watch"],
    spoil: async (lab) => {
      await lab.write("catalogue.json", "{");
      return {};
    },
    code: 2,
    message: /^catalogue\.json:\d+:\d+: /u,
  },
  {
    name: "there is no catalogue",
    commands: ["intake", "serve", "watch"],
    spoil: () => ({ args: ["--catalogue", "nowhere.yaml"] }),
    code: 2,
    message: /^catalogue nowhere\.yaml: /u,
  },
  {
    name: "the registry is broken",
    commands: ["intake", "serve", "watch"],
    spoil: async (lab) => {
      await lab.write("monitors.yaml", "monitors: [");
      return {};
    },
    code: 2,
    message: /^monitors\.yaml:\d+:\d+: /u,
  },
  {
    name: "there is no registry where one is named",
    commands: ["intake", "serve", "watch"],
    spoil: () => ({ args: ["--monitors", "nowhere.yaml"] }),
    code: 2,
    message: /^--monitors nowhere\.yaml: there is no such registry/u,
  },
];

/** Each case with each of its commands, as rows of a test. */
export function rowsOf(
  cases: readonly FailingStart[],
): readonly (FailingStart & { readonly command: LongCommand })[] {
  return cases.flatMap((one) => one.commands.map((command) => ({ ...one, command })));
}

/** Starts in vain, and expects that the process says why, ends, frees its ports, and has published nothing. */
export async function expectFailure(
  { command, spoil, code, message }: FailingStart & { readonly command: LongCommand },
  atEnd: StartLab["atEnd"],
): Promise<void> {
  const lab = await openStartLab(atEnd);
  const { args = [], ...options } = await spoil(lab);
  const isHeld = !(await isFree(lab.port));
  const before = await lab.published();
  const result = await lab.start(command, args, options).ended;
  expect(result).toMatchObject({ code, stdout: "" });
  // A stack would be no line of JSON.
  const told = eventsOf(result.stderr).filter(({ level }) => level === "error");
  expect(told).toEqual([
    expect.objectContaining({
      event: code === 2 ? "refused" : "failed",
      message: expect.stringMatching(message),
    }),
  ]);
  expect(await lab.published()).toEqual(before);
  if (!isHeld) await until("the port is free", () => isFree(lab.port), LONGEST_MS);
}
