import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsNamed } from "../cli/cli.ts";
import { openContainers } from "./containers.ts";
import { ANY_UID, answerOnce, installInto, openHomeLine, packInto, ROOT } from "./home-line.ts";

/* The packed program as a place on a line at home, with no right but to connect: in a container, and as a router starts it. */

const INIT = join(ROOT, "deploy/vantage/status-snapshot-vantage.init");

const folder = mkdtempSync(join(tmpdir(), "status-snapshot-home-"));
// Another user starts the program in it.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let packed = "";
beforeAll(() => {
  packed = packInto(join(folder, "packed"));
});

const HEARD = { heard: ["home"], silent: [] };
const ANSWERED = [{ endpoints: 3, failing: 0, connectivity: "fine" }];

const containers = openContainers();
afterAll(() => containers?.close());

describe.runIf(containers !== undefined)("in a container", () => {
  test("any user answers, without a right, on a file system that is read-only", async () => {
    const line = await openHomeLine(ANY_UID);
    const options = ["--network", "host", "--env-file", line.settings, "--user", `${ANY_UID}`];
    const secret = `vantage.jwk,uid=${ANY_UID},mode=0400`;
    const command = containers?.commandOf(packed, line, [...options, "--secret", secret]) ?? [];
    const ended = await answerOnce(command);
    expect(eventsNamed(ended.stderr, "ask-answered"), ended.stderr).toMatchObject(ANSWERED);
    expect(ended.code).toBe(0);
    expect(await line.run()).toMatchObject(HEARD);
  });
});

/** What procd would be told by the script, which is changed to other paths. */
function readInit(change: (script: string) => string): ReadonlyMap<string, readonly string[]> {
  const note = `{ printf '%s\\037' "$@"; echo; }`;
  const stubs = `procd_open_instance() { :; }; procd_close_instance() { :; }; procd_set_param() ${note}; procd_append_param() ${note}`;
  const script = change(readFileSync(INIT, "utf8"));
  const told = execFileSync("sh", ["-c", `${stubs}\n${script}\nstart_service`], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const params = new Map<string, readonly string[]>();
  for (const line of told.trimEnd().split("\n")) {
    const [name = "", ...values] = line.split("\u001F").slice(0, -1);
    params.set(name, [...(params.get(name) ?? []), ...values]);
  }
  return params;
}

/** Makes every folder read-only for what it starts, and refuses to start it otherwise. */
const READ_ONLY = `
for folder in / "$TMP"; do mount --bind "$folder" "$folder" && mount -o remount,bind,ro "$folder" || exit 90; done
cd "$TMP" && ! touch "$TMP/written" 2>/dev/null || exit 91
exec "$@"`;

describe.runIf(getuid?.() === 0)("as OpenWrt's procd would start it", () => {
  test("a user of its own answers, without a right, where nothing can be written", async () => {
    const line = await openHomeLine(ANY_UID);
    const program = installInto(folder, packed);
    const params = readInit((script) =>
      script
        .replace("PROGRAM=/usr/bin/status-snapshot", `PROGRAM=${program}`)
        .replace("SETTINGS=/etc/status-snapshot/vantage\n", `SETTINGS=${line.settings}\n`)
        .replace("KEY=/etc/status-snapshot/vantage.jwk\n", `KEY=${line.key}\n`),
    );
    expect(Object.fromEntries(params)).toMatchObject({
      user: ["vantage"],
      group: ["vantage"],
      no_new_privs: ["1"],
      respawn: ["3600", "15", "0"],
    });
    const ids = [`--reuid=${ANY_UID}`, `--regid=${ANY_UID}`, "--clear-groups"];
    const rights = [...ids, "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"];
    const alone = ["env", "-i", `PATH=${process.env["PATH"]}`, `TMP=${tmpdir()}`];
    const readOnly = ["unshare", "--mount", "--propagation", "private", "sh", "-c", READ_ONLY];
    const own = ["setpriv", ...rights, "env", ...(params.get("env") ?? [])];
    const command = params.get("command") ?? [];
    const ended = await answerOnce([...alone, ...readOnly, "sh", ...own, ...command]);
    expect(eventsNamed(ended.stderr, "ask-answered"), ended.stderr).toMatchObject(ANSWERED);
    expect(ended.code).toBe(0);
    expect(await line.run()).toMatchObject(HEARD);
  });

  test("without settings it is not started, and says why", () => {
    const missing = (script: string): string =>
      script.replace("SETTINGS=/etc/status-snapshot/", "SETTINGS=/nowhere/");
    expect(() => readInit(missing)).toThrow("/nowhere/vantage is missing");
  });
});
