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
import { closeGate, MAX_MS, openStartHarness, type StartHarness } from "../cli/start-harness.ts";
import {
  expectSecondStop,
  expectStop,
  MOMENTS,
  OTHER_MOMENTS,
  PUBLISHING,
} from "../cli/stopped-starts.ts";

/* Starts and stops of the commands that run until they are stopped: `intake`, `serve`, `watch`. */

const FAILING = [
  ...WITHOUT_PORT,
  ...WITHOUT_OTHER_PORT,
  ...WITHOUT_JOURNAL,
  ...WITHOUT_STORE,
  ...WITH_MISTAKES,
];

/** Below the client's timeout, so that each write succeeds, and all of them together take minutes. */
const SLOW_WRITE_MS = 7_000;
const SERVICES = 150;

/* The first tests, because they wait for a minute, while all others run. */
test.concurrent.for(["intake", "watch"] as const)(
  "%s that is stopped during a long publish ends it after a minute, with 0",
  { timeout: MAX_MS },
  async (command, { onTestFinished }) => {
    const harness = await openStartHarness(onTestFinished, SERVICES);
    const { reached, open } = closeGate(harness.s3, "PUT public/");
    const running = harness.start(command);
    await reached;
    harness.s3.moods.hold = (method, key) =>
      `${method} ${key}`.startsWith("PUT public/") ? delay(SLOW_WRITE_MS) : undefined;
    running.child.kill("SIGTERM");
    open();
    const { code, stderr } = await running.ended;
    expect({ code, signal: running.child.signalCode }).toEqual({ code: 0, signal: null });
    const warnings = eventsNamed(stderr, "warning").map(({ message }) => message);
    expect(warnings).toContainEqual(expect.stringMatching(/^The publish in progress did not end/u));
    expect(harness.s3.objects.size).toBeLessThan(SERVICES);
  },
);

test.concurrent.for(rowsOf(FAILING))(
  "$command ends with $code and has published nothing if $name",
  { timeout: MAX_MS },
  (one, { onTestFinished }) => expectFailure(one, onTestFinished),
);

describe.runIf(getuid?.() === 0)("as another user", { concurrent: true }, () => {
  test.concurrent.for(rowsOf(WITHOUT_RIGHTS))(
    "$command ends with $code and has published nothing if $name",
    { timeout: MAX_MS },
    (one, { onTestFinished }) => expectFailure(one, onTestFinished),
  );
});

/** Mounts a disk for the journal. Needs root, and is not allowed in every container: there, the cases are skipped. */
function mountJournal(harness: StartHarness, options: string): void {
  const disk = join(harness.folder, "disk");
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk], { stdio: "ignore" });
  harness.atEnd(() => void execFileSync("umount", ["--lazy", disk]));
}

const ON_A_BAD_DISK: readonly FailingStart[] = [
  {
    name: "the disk of the journal is full",
    commands: ["intake"],
    spoil: (harness) => {
      // The root folder of the disk takes the only inode.
      mountJournal(harness, "nr_inodes=1");
      return { args: ["--set", "journal=disk/journal"] };
    },
    code: 1,
    message: /^journal disk\/journal: .*ENOSPC.* Check that disk/u,
  },
  {
    name: "the disk of the journal is read-only",
    commands: ["intake"],
    spoil: (harness) => {
      mountJournal(harness, "ro");
      return { args: ["--set", "journal=disk/journal"] };
    },
    code: 2,
    message: /^journal disk\/journal: .*EROFS/u,
  },
];

describe.runIf(canMount())("on a bad disk", { concurrent: true }, () => {
  test.concurrent.for(rowsOf(ON_A_BAD_DISK))(
    "$command ends with $code and has published nothing if $name",
    { timeout: MAX_MS },
    (one, { onTestFinished }) => expectFailure(one, onTestFinished),
  );
});

function canMount(): boolean {
  try {
    // A new mount namespace, so that the mount disappears.
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
    "ends $command $name with 0, after it has published $publishes",
    { timeout: MAX_MS },
    (one, { onTestFinished }) => expectStop(one, signal, onTestFinished),
  );

  test.concurrent(
    "during a start answers reports that wait for its end with 503",
    { timeout: MAX_MS },
    ({ onTestFinished }) =>
      expectEarlyReport((_, { child }) => void child.kill(signal), 503, onTestFinished),
  );

  test.concurrent.for(PUBLISHING)(
    "ends $command $name at once if it is repeated",
    { timeout: MAX_MS },
    (one, { onTestFinished }) => expectSecondStop(one, signal, onTestFinished),
  );
});

const LOWEST_PRIORITY = 19;

test.runIf(getuid?.() === 0)(
  "an intake with a low priority publishes, although it cannot raise it",
  { timeout: MAX_MS },
  async ({ onTestFinished }) => {
    const harness = await openStartHarness(onTestFinished);
    await chmod(harness.folder, 0o755);
    const { child, stdout, stderr } = harness.start("intake", [], { uid: NOBODY });
    setPriority(child.pid ?? 0, LOWEST_PRIORITY);
    await until("it has published", () => stderr().includes('"event":"published"'), MAX_MS);
    await until("it takes reports", () => stdout().includes("Taking reports"), MAX_MS);
    expect(eventsNamed(stderr(), "warning")).toHaveLength(1);
  },
);
