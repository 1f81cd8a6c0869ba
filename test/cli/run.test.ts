import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseCatalogue } from "../../src/services/catalogue/parse-catalogue.ts";
import { decodeState } from "../../src/state/codec/state.ts";
import { isFull } from "../depth.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { type CliResult, eventsNamed, runCli } from "./cli.ts";
import { readTree, type Workspace } from "./workspace.ts";
import { useCliFixture } from "./cli-fixture.ts";

const SHIPPED = fileURLToPath(new URL("../../catalogue.yaml", import.meta.url));
const LIST_FIELDS = ["slug", "name", "color", "code", "live"];
const DETAIL_FIELDS = [...LIST_FIELDS, "since", "reportsHour", "reportsDay"];

const { internet, workspace } = useCliFixture(!isFull);

const failures = (stderr: string): readonly unknown[] =>
  eventsNamed(stderr, "endpoint-measured").flatMap(({ result }) => result);

async function readHistory(folder: string): Promise<unknown> {
  const decoded = decodeState(await readFile(join(folder, ".state/state.json.gz")));
  return decoded.kind === "ok" ? decoded.value.history : decoded.message;
}

/** Makes two runs of the shipped catalogue, five minutes apart, and returns what each has published. */
async function runTwice(hosts: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-cli-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "hosts.txt"), internet().connectToLines(hosts).join("\n"));
  const env = { NODE_EXTRA_CA_CERTS: internet().rootCaFile };
  // Few at once, so that none times out on a busy machine.
  const pace = ["--set", "concurrency=8", "--set", "confirm=none"];
  const args = ["run", "--connect-to", "@hosts.txt", ...pace, "--log", "debug"];
  // Yesterday after noon: pages change with each half hour, and much more after midnight.
  const noonMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 12 * HOUR_MS;
  const runAt = async (minute: number) => {
    const at = new Date(noonMs + minute * MINUTE_MS).toISOString();
    const run = await runCli([...args, "--at", at], { cwd: folder, env });
    return { run, files: await readTree(join(folder, "public")) };
  };
  return { first: await runAt(10), second: await runAt(15) };
}

/** Whether both runs had fine connectivity and the same number of answers. */
function areAlike(...runs: readonly CliResult[]): boolean {
  const answered = runs.map(({ stdout }) => /\d+ endpoints: [^|]*/u.exec(stdout)?.[0]);
  const isFine = ({ stderr }: CliResult): boolean =>
    /"phase":"end","connectivity":\{"state":"fine"/u.test(stderr);
  return runs.every(isFine) && new Set(answered).size === 1;
}

/** Pictures, evidence, histories and outages begin with the second publish. */
const isLater = (path: string): boolean =>
  /^(?:card\/|badge(?:\/|\.(?:svg|json)$)|(?:evidence|history|outages)\/|(?:en\/)?outages\.html$|feed\/all-outages\.atom$)/u.test(
    path,
  );

describe("the shipped catalogue", () => {
  test.skipIf(isFull)(
    "becomes 86 documents and a website; a second run writes only what changed",
    async () => {
      const parsed = parseCatalogue(await readFile(SHIPPED));
      if (parsed.kind !== "ok") throw new Error("the shipped catalogue is broken");
      const { services, anchors } = parsed.catalogue;
      const urls = [...anchors, ...services.flatMap(({ endpoints }) => endpoints)];
      const hosts = [...new Set(urls.map(({ url }) => new URL(url).hostname))];
      // On a busy machine connectivity may be lossy, which every page shows, so only runs with fine connectivity are compared.
      let { first, second } = await runTwice(hosts);
      for (let left = 4; left > 0 && !areAlike(first.run, second.run); left -= 1)
        ({ first, second } = await runTwice(hosts));

      expect(first.run).toMatchObject({ code: 0 });
      expect(first.run.stdout).toContain("85 services: ");
      const { files } = first;
      expect(first.run.stdout).toContain(
        `| ${files.size} objects written, 0 unchanged, 0 removed |`,
      );
      expect([...files.keys()].filter((path) => path.startsWith("api/v1/"))).toHaveLength(86);
      const list = JSON.parse(files.get("api/v1/status.json") ?? "");
      expect(Object.keys(list)).toEqual(["updated", "services"]);
      expect(list.services.map(({ slug }: { slug: string }) => slug)).toEqual(
        services.map(({ slug }) => slug),
      );
      for (const summary of list.services) {
        expect(Object.keys(summary)).toEqual(LIST_FIELDS);
        const detail = JSON.parse(files.get(`api/v1/status/${summary.slug}.json`) ?? "");
        expect(Object.keys(detail)).toEqual(DETAIL_FIELDS);
        expect(detail).toMatchObject(summary);
      }
      expect(files.get("api/v1/status.json")).toContain("Сбербанк");

      const changed = [...second.files].flatMap(([path, text]) =>
        files.get(path) === text ? [] : [path],
      );
      expect(second.run.stdout).toContain(`| ${changed.length} objects written,`);
      expect(changed.filter((path) => !isLater(path))).toEqual([
        "api/v1/status.json",
        "checked.svg",
        "metrics",
      ]);
      // What the first generation leaves out.
      const later = (start: string) =>
        [...second.files.keys()].filter((key) => key.startsWith(start));
      expect(later("history/v1/")).toHaveLength(86);
      expect(later("evidence/v1/")).toHaveLength(85);
      // Badges and cards, as many as were drawn in two seconds.
      expect(later("badge").length + later("card/").length).toBeGreaterThan(0);
    },
  );
});

describe.concurrent("a change is confirmed", () => {
  const CONFIRM = ["--set", "confirm=0.3,0.6,0.9"];

  test("an endpoint that fails once is healthy at the second attempt, and flaky", async () => {
    const one = await workspace();
    await one.run();
    await one.set("beta", {
      kind: "sequence",
      steps: [{ kind: "tls-reset" }, { kind: "page" }],
    });
    const before = one.connections("beta");
    const result = await one.run(CONFIRM);
    expect(one.connections("beta") - before).toBe(2);
    expect(await one.codes()).toMatchObject({ beta: "ok" });
    expect(failures(result.stderr)).toContainEqual(expect.objectContaining({ isFlaky: true }));
  });

  test.runIf(isFull)(
    "a new failure needs four attempts, a known one one, and a recovery two",
    async () => {
      const one = await workspace();
      await one.run();
      const tries = async (): Promise<number> => {
        const before = one.connections("beta");
        await one.run(CONFIRM);
        return one.connections("beta") - before;
      };
      await one.set("beta", { kind: "tls-reset" });
      expect(await tries()).toBe(4);
      expect(await one.codes()).toMatchObject({ beta: "fail" });
      expect(await tries()).toBe(1);
      expect(await one.codes()).toMatchObject({ beta: "fail" });
      await one.set("beta", { kind: "page" });
      expect(await tries()).toBe(2);
      expect(await one.codes()).toMatchObject({ beta: "ok" });
      expect(await tries()).toBe(1);
    },
  );

  test.runIf(isFull)("a recovery that fails at the second attempt does not count", async () => {
    const one = await workspace();
    await one.run();
    await one.set("beta", { kind: "tls-reset" });
    await one.run();
    await one.set("beta", { kind: "sequence", steps: [{ kind: "page" }, { kind: "tls-reset" }] });
    await one.run(CONFIRM);
    expect(await one.codes()).toMatchObject({ beta: "fail" });
  });

  test.runIf(isFull)("without confirmation the first attempt decides", async () => {
    const one = await workspace();
    await one.run();
    await one.set("beta", { kind: "sequence", steps: [{ kind: "tls-reset" }, { kind: "page" }] });
    await one.run(["--set", "confirm=none"]);
    expect(await one.codes()).toMatchObject({ beta: "fail" });
  });
});

describe("an endpoint that is not probed", () => {
  test("is skipped at the deadline and keeps its verdict, never down", async () => {
    const one = await workspace();
    await one.run(["--at", "2026-11-01T12:00:00Z"]);
    await one.set("beta", { kind: "http-silence" });
    // Before the head of beta times out, and long after the others have answered.
    const result = await one.run(["--at", "2026-11-01T12:05:00Z", "--set", "deadline=6"]);
    expect(result).toMatchObject({ code: 0 });
    expect(await one.codes()).toEqual({ alpha: "ok", beta: "ok", gamma: "ok" });
    expect(result.stdout).toContain("3 healthy, 0 failing, 1 skipped");
    expect(eventsNamed(result.stderr, "deadline-reached")).toMatchObject([{ skipped: 1 }]);
  });

  test.runIf(isFull)(
    "a failure that the deadline leaves unconfirmed does not count either",
    async () => {
      const one = await workspace();
      await one.run();
      await one.set("beta", { kind: "tls-reset" });
      await one.run(["--set", "deadline=3", "--set", "confirm=20"]);
      expect(await one.codes()).toMatchObject({ beta: "ok" });
    },
  );

  test("with --only, the other services are not probed and keep their verdicts", async () => {
    const one = await workspace();
    await one.run();
    await one.set("beta", { kind: "tls-reset" });
    await one.run();
    const before = { alpha: one.connections("alpha"), beta: one.connections("beta") };
    const result = await one.run(["--only", "alpha"]);
    expect(one.connections("alpha") - before.alpha).toBe(1);
    expect(one.connections("beta")).toBe(before.beta);
    expect(result.stdout).toContain("2 endpoints: 2 healthy");
    expect(await one.codes()).toEqual({ alpha: "ok", beta: "fail", gamma: "ok" });
  });

  test("a service that left the catalogue loses its documents, and no other does", async () => {
    const one = await workspace();
    await one.run();
    await one.writeCatalogue([{ slug: "beta" }, { slug: "gamma" }]);
    const result = await one.run();
    // Its detail, a page in each language and its feed; it has no pictures, evidence and history yet.
    expect(result.stdout).toContain("4 removed");
    expect([...(await one.documents()).keys()]).toEqual([
      "api/v1/status.json",
      "api/v1/status/beta.json",
      "api/v1/status/gamma.json",
    ]);
    expect((await one.run()).stdout).toContain("0 removed");
  });
});

describe("time", () => {
  const NOON = "2026-11-01T12:00:00Z";

  test("a replay of the same time is counted once and probes nothing", async () => {
    const one = await workspace();
    await one.run(["--at", NOON]);
    const before = { connections: one.allConnections(), documents: await one.documents() };
    const counted = await readHistory(one.folder);
    const again = await one.run(["--at", NOON]);
    expect(again).toMatchObject({ code: 0 });
    expect(eventsNamed(again.stderr, "already-folded")).toHaveLength(1);
    expect(one.allConnections()).toBe(before.connections);
    expect(await one.documents()).toEqual(before.documents);
    expect(await readHistory(one.folder)).toEqual(counted);
  });

  test.runIf(isFull)(
    "a replay of an earlier time counts nothing and publishes no older documents",
    async () => {
      const one = await workspace();
      await one.run(["--at", "2026-11-01T11:55:00Z"]);
      await one.set("beta", { kind: "tls-reset" });
      await one.run(["--at", NOON]);
      await one.run(["--at", "2026-11-02T12:00:01Z"]);
      // Pictures are drawn ahead when today's exist.
      await one.run(["--at", "2026-11-02T12:05:01Z"]);
      expect(await one.codes()).toMatchObject({ beta: "fail_long" });
      const before = await one.documents();
      const again = await one.run(["--at", "2026-11-01T12:30:00Z"]);
      expect(again.stdout).toContain("0 objects written");
      expect(await one.documents()).toEqual(before);
    },
  );

  test("a state from a clock that was days ahead stops a run before it probes", async () => {
    const one = await workspace();
    await one.run(["--at", new Date(Date.now() + 3 * 86_400_000).toISOString()]);
    const before = { documents: await one.documents(), connections: one.allConnections() };
    const refused = await one.run();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("ahead of this clock");
    expect(await one.documents()).toEqual(before.documents);
    expect(one.allConnections()).toBe(before.connections);
  });

  test("a deadline before the last confirmation is a warning", async () => {
    const one = await workspace();
    const { stderr } = await one.run(["--set", "confirm=20,60,300"]);
    expect(stderr).toContain("no new failure can be confirmed");
  });

  test.runIf(isFull)(
    "a clock behind the last run is logged, and no later time is published",
    async () => {
      const one = await workspace();
      // Into the next UTC day, and less than a day, from which on a run would be refused.
      const tomorrowMs = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
      const aheadMs = Math.min(tomorrowMs + MINUTE_MS, Date.now() + DAY_MS - MINUTE_MS);
      await one.run(["--at", new Date(aheadMs).toISOString()]);
      const result = await one.run();
      expect(result).toMatchObject({ code: 0 });
      expect(eventsNamed(result.stderr, "clock-behind")).toHaveLength(1);
      expect((await one.list()).updated).toBeLessThanOrEqual(Date.now() / 1_000);
      const folder = join(one.folder, "public");
      const files = await readdir(folder, { recursive: true });
      const published = files.filter((file) => /\.(?:json|xml)$/u.test(file));
      expect(published.length).toBeGreaterThan(3);
      for (const file of published) {
        const text = await readFile(join(folder, file), "utf8");
        const times = [...text.matchAll(/\b(1[5-9]\d{8})\b/gu)].map(([time]) => Number(time));
        const dates = [...text.matchAll(/\b20\d\d-\d\d-\d\d/gu)].map(
          ([date]) => Date.parse(date) / 1_000,
        );
        const later = [...times, ...dates].filter((time) => time > Date.now() / 1_000);
        expect({ file, later }).toEqual({ file, later: [] });
      }
    },
  );
});

describe("the runner offline", () => {
  const cut = async (one: Workspace, hosts: readonly string[]): Promise<void> => {
    for (const host of hosts) await one.set(host, { kind: "tcp-refused" });
  };

  test("exit 3, nothing counts, `updated` stays, and after 15 minutes the codes are none", async () => {
    const one = await workspace();
    await one.run(["--at", "2026-11-01T12:00:00Z"]);
    const before = await one.documents();
    // Six of seven networks.
    await cut(one, ["d1", "d2", "d3", "d4", "f1", "f2"]);
    const soon = await one.run(["--at", "2026-11-01T12:05:00Z"]);
    expect(soon).toMatchObject({ code: 3 });
    expect(soon.stdout).toContain("no endpoint measured");
    expect(eventsNamed(soon.stderr, "run-offline")[0]?.["unreachable"]).toHaveLength(6);
    expect(await one.documents()).toEqual(before);
    const { updated } = await one.list();
    const later = await one.run(["--at", "2026-11-01T12:16:00Z"]);
    expect(later).toMatchObject({ code: 3 });
    expect(await one.codes()).toEqual({ alpha: "none", beta: "none", gamma: "none" });
    expect((await one.list()).updated).toBe(updated);
    expect((await one.detail("alpha")).since).toBe(updated);
  });

  test.runIf(isFull)(
    "the first run publishes all services as none, with the time of that attempt",
    async () => {
      const one = await workspace();
      await cut(one, ["d1", "d2", "d3", "d4", "f1", "f2", "f3"]);
      const first = await one.run(["--at", "2026-11-01T12:00:00Z"]);
      expect(first).toMatchObject({ code: 0 });
      expect(first.stdout).toContain("npm run demo -- --once");
      expect(await one.list()).toMatchObject({
        updated: Date.parse("2026-11-01T12:00:00Z") / 1_000,
        services: [{ code: "none" }, { code: "none" }, { code: "none" }],
      });
      expect(await one.detail("beta")).toMatchObject({ code: "none", live: false, since: null });
      expect(one.connections("alpha")).toBe(0);
      const before = await one.published();
      expect(await one.run(["--at", "2026-11-01T12:05:00Z"])).toMatchObject({ code: 3 });
      // Except for what begins with the second publish.
      const after = [...(await one.published())].filter(([path]) => !isLater(path));
      expect(new Map(after)).toEqual(before);
    },
  );
});
