import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { eventsNamed, until } from "../cli/cli.ts";
import { expectEarlyReport } from "../cli/early-report.ts";
import {
  expectFailure,
  type FailingStart,
  NOBODY,
  rowsOf,
  WITH_MISTAKES,
  WITHOUT_JOURNAL,
  WITHOUT_OTHER_PORT,
  WITHOUT_PORT,
  WITHOUT_RIGHTS,
  WITHOUT_STORE,
} from "../cli/failing-starts.ts";
import { closeGate, LONGEST_MS, openStartLab, type StartLab } from "../cli/start-lab.ts";
import {
  expectSecondStop,
  expectStop,
  MOMENTS,
  OTHER_MOMENTS,
  PUBLISHING,
} from "../cli/stopped-starts.ts";

/* Every way up and down of the commands that run until they are stopped: `intake`, `serve`, `watch`. */

const FAILING = [
  ...WITHOUT_PORT,
  ...WITHOUT_OTHER_PORT,
  ...WITHOUT_JOURNAL,
  ...WITHOUT_STORE,
  ...WITH_MISTAKES,
];

/** Below what the client takes for no answer, so that each write succeeds, and all of them together take minutes. */
const SLOW_WRITE_MS = 7_000;
const SERVICES = 150;

/* First, since they wait for a minute, and all others run beside them. */
test.concurrent.for(["intake", "watch"] as const)(
  "%s that is stopped while a publish takes minutes cuts it off after one, and ends with 0",
  { timeout: LONGEST_MS },
  async (command, { onTestFinished }) => {
    const lab = await openStartLab(onTestFinished, SERVICES);
    const { reached, open } = closeGate(lab.s3, "PUT public/");
    const running = lab.start(command);
    await reached;
    lab.s3.moods.hold = (method, key) =>
      `${method} ${key}`.startsWith("PUT public/") ? delay(SLOW_WRITE_MS) : undefined;
    running.child.kill("SIGTERM");
    open();
    const { code, stderr } = await running.ended;
    expect({ code, signal: running.child.signalCode }).toEqual({ code: 0, signal: null });
    const warnings = eventsNamed(stderr, "warning").map(({ message }) => message);
    expect(warnings).toContainEqual(expect.stringMatching(/^The publish in hand did not end/u));
    expect(lab.s3.objects.size).toBeLessThan(SERVICES);
  },
);

test.concurrent.for(rowsOf(FAILING))(
  "$command ends with $code and has published nothing when $name",
  { timeout: LONGEST_MS },
  (one, { onTestFinished }) => expectFailure(one, onTestFinished),
);

describe.runIf(getuid?.() === 0)("as another user", { concurrent: true }, () => {
  test.concurrent.for(rowsOf(WITHOUT_RIGHTS))(
    "$command ends with $code and has published nothing when $name",
    { timeout: LONGEST_MS },
    (one, { onTestFinished }) => expectFailure(one, onTestFinished),
  );
});

/** A journal on a disk of its own. Only root may mount, and not in every container: then the case is left out. */
function mountJournal(lab: StartLab, options: string): void {
  const disk = join(lab.folder, "disk");
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk], { stdio: "ignore" });
  lab.atEnd(() => void execFileSync("umount", ["--lazy", disk]));
}

const ON_A_BAD_DISK: readonly FailingStart[] = [
  {
    name: "the disk of the journal is full",
    commands: ["intake"],
    spoil: (lab) => {
      // The disk's own folder takes the only inode.
      mountJournal(lab, "nr_inodes=1");
      return { args: ["--journal", "disk/journal"] };
    },
    code: 1,
    message: /^--journal disk\/journal: .*ENOSPC.* Check that disk/u,
  },
  {
    name: "the disk of the journal is read-only",
    commands: ["intake"],
    spoil: (lab) => {
      mountJournal(lab, "ro");
      return { args: ["--journal", "disk/journal"] };
    },
    code: 2,
    message: /^--journal disk\/journal: .*EROFS/u,
  },
];

describe.runIf(canMount())("on a bad disk", { concurrent: true }, () => {
  test.concurrent.for(rowsOf(ON_A_BAD_DISK))(
    "$command ends with $code and has published nothing when $name",
    { timeout: LONGEST_MS },
    (one, { onTestFinished }) => expectFailure(one, onTestFinished),
  );
});

function canMount(): boolean {
  try {
    // A mount namespace of its own leaves nothing behind.
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

describe.concurrent.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test.concurrent.for([...MOMENTS, ...OTHER_MOMENTS])(
    "ends $command $name with 0, and it has published $publishes",
    { timeout: LONGEST_MS },
    (one, { onTestFinished }) => expectStop(one, signal, onTestFinished),
  );

  test.concurrent(
    "during a start answers reports that wait for its end with 503",
    { timeout: LONGEST_MS },
    ({ onTestFinished }) =>
      expectEarlyReport((_, { child }) => void child.kill(signal), 503, onTestFinished),
  );

  test.concurrent.for(PUBLISHING)(
    "more than once ends $command $name at once",
    { timeout: LONGEST_MS },
    (one, { onTestFinished }) => expectSecondStop(one, signal, onTestFinished),
  );
});

const LOWEST_PRIORITY = 19;

test.runIf(getuid?.() === 0)(
  "an intake that was started with a low priority publishes, although it may not raise it",
  { timeout: LONGEST_MS },
  async ({ onTestFinished }) => {
    const lab = await openStartLab(onTestFinished);
    await chmod(lab.folder, 0o755);
    const { child, stdout, stderr } = lab.start("intake", [], { uid: NOBODY });
    setPriority(child.pid ?? 0, LOWEST_PRIORITY);
    await until("it has published", () => stderr().includes('"event":"published"'), LONGEST_MS);
    await until("it takes reports", () => stdout().includes("Taking reports"), LONGEST_MS);
    expect(eventsNamed(stderr(), "warning")).toHaveLength(1);
  },
);
