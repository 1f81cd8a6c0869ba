import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseCatalogue } from "../../src/catalogue/parse.ts";
import { decodeState } from "../../src/history/codec.ts";
import { isFull } from "../depth.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { type CliResult, eventsNamed, runCli } from "./cli.ts";
import { readTree, type Stage } from "./stage.ts";
import { useTheatre } from "./theatre.ts";

const SHIPPED = fileURLToPath(new URL("../../catalogue.yaml", import.meta.url));
const LIST_FIELDS = ["slug", "name", "color", "code", "live"];
const DETAIL_FIELDS = [...LIST_FIELDS, "since", "reportsHour", "reportsDay"];

const { world, stage } = useTheatre(!isFull);

const failures = (stderr: string): readonly unknown[] =>
  eventsNamed(stderr, "endpoint-measured").flatMap(({ result }) => result);

async function readHistory(folder: string): Promise<unknown> {
  const decoded = decodeState(await readFile(join(folder, ".state/state.json.gz")));
  return decoded.kind === "ok" ? decoded.state.history : decoded.message;
}

/** Two runs of the shipped catalogue in a new folder, five minutes apart, and what each has published. */
async function runTwice(hosts: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-cli-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "hosts.txt"), world().connectToLines(hosts).join("\n"));
  const env = { NODE_EXTRA_CA_CERTS: world().rootCaFile };
  // Few at once, of which a machine that is busy keeps none waiting until it is given up.
  const pace = ["--concurrency", "8", "--confirm", "none"];
  const args = ["run", "--connect-to", "@hosts.txt", ...pace, "--log", "json"];
  // In the last hour that is over, and in one half of it: a page changes with each.
  const hourMs = (Math.floor(Date.now() / HOUR_MS) - 1) * HOUR_MS;
  const runAt = async (minute: number) => {
    const at = new Date(hourMs + minute * MINUTE_MS).toISOString();
    const run = await runCli([...args, "--at", at], { cwd: folder, env });
    return { run, files: await readTree(join(folder, "public")) };
  };
  return { first: await runAt(10), second: await runAt(15) };
}

/** Whether the runs took their own way for a fine one, and as many answered each. */
function areAlike(...runs: readonly CliResult[]): boolean {
  const answered = runs.map(({ stdout }) => /\d+ endpoints: [^|]*/u.exec(stdout)?.[0]);
  const isFine = ({ stderr }: CliResult): boolean =>
    /"phase":"end","connectivity":\{"state":"fine"/u.test(stderr);
  return runs.every(isFine) && new Set(answered).size === 1;
}

describe("the shipped catalogue", () => {
  test.skipIf(isFull)(
    "becomes 86 documents of exactly the specified fields and a website, and a second run writes the list, the time of the run and pictures",
    async () => {
      const parsed = parseCatalogue(await readFile(SHIPPED));
      if (parsed.kind !== "ok") throw new Error("the shipped catalogue is broken");
      const { services, anchors } = parsed.catalogue;
      const urls = [...anchors, ...services.flatMap(({ endpoints }) => endpoints)];
      const hosts = [...new Set(urls.map(({ url }) => new URL(url).hostname))];
      // A machine that is busy may take its own way for a lossy one, and then every page says so: two on a fine one are compared.
      let { first, second } = await runTwice(hosts);
      for (let left = 4; left > 0 && !areAlike(first.run, second.run); left -= 1)
        ({ first, second } = await runTwice(hosts));

      expect(first.run).toMatchObject({ code: 0 });
      expect(first.run.stdout).toContain("85 services: ");
      const { files } = first;
      expect(first.run.stdout).toContain(
        `| ${files.size} objects written, 0 unchanged, 0 removed |`,
      );
      expect([...files.keys()].filter((path) => path.startsWith("api/"))).toHaveLength(86);
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
      const isPicture = (path: string): boolean => path.startsWith("card/");
      expect(changed.filter((path) => !isPicture(path))).toEqual([
        "api/v1/status.json",
        "checked.svg",
      ]);
      // As many as can be drawn in two seconds.
      expect(changed.filter(isPicture).length).toBeGreaterThan(0);
    },
  );
});

describe.concurrent("a change is confirmed", () => {
  const CONFIRM = ["--confirm", "0.3,0.6,0.9"];

  test("a blip does no harm: the endpoint is healthy at the second try, and flaky", async () => {
    const one = await stage();
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
    "a failure needs all four tries, unchanged failing one, and a comeback two",
    async () => {
      const one = await stage();
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

  test.runIf(isFull)("a comeback that fails at the second try is none", async () => {
    const one = await stage();
    await one.set("beta", { kind: "tls-reset" });
    await one.run();
    await one.set("beta", { kind: "sequence", steps: [{ kind: "page" }, { kind: "tls-reset" }] });
    await one.run(CONFIRM);
    expect(await one.codes()).toMatchObject({ beta: "fail" });
  });

  test.runIf(isFull)("without confirmation the first try decides", async () => {
    const one = await stage();
    await one.run();
    await one.set("beta", { kind: "sequence", steps: [{ kind: "tls-reset" }, { kind: "page" }] });
    await one.run(["--confirm", "none"]);
    expect(await one.codes()).toMatchObject({ beta: "fail" });
  });
});

describe("what is not reached", () => {
  test("is skipped at the deadline and keeps its verdict, never down", async () => {
    const one = await stage();
    await one.run(["--at", "2026-11-01T12:00:00Z"]);
    await one.set("beta", { kind: "http-silence" });
    // Before beta's head is given up, and long after the others have answered.
    const result = await one.run(["--at", "2026-11-01T12:05:00Z", "--deadline", "6"]);
    expect(result).toMatchObject({ code: 0 });
    expect(await one.codes()).toEqual({ alpha: "ok", beta: "ok", gamma: "ok" });
    expect(result.stdout).toContain("3 healthy, 0 failing, 1 skipped");
    expect(eventsNamed(result.stderr, "deadline-reached")).toMatchObject([{ skipped: 1 }]);
  });

  test.runIf(isFull)(
    "a failure that the deadline leaves unconfirmed does not count either",
    async () => {
      const one = await stage();
      await one.run();
      await one.set("beta", { kind: "tls-reset" });
      await one.run(["--deadline", "3", "--confirm", "20"]);
      expect(await one.codes()).toMatchObject({ beta: "ok" });
    },
  );

  test("with --only, the other services are left alone and keep their verdicts", async () => {
    const one = await stage();
    await one.set("beta", { kind: "tls-reset" });
    await one.run();
    const before = { alpha: one.connections("alpha"), beta: one.connections("beta") };
    const result = await one.run(["--only", "alpha"]);
    expect(one.connections("alpha") - before.alpha).toBe(1);
    expect(one.connections("beta")).toBe(before.beta);
    expect(result.stdout).toContain("2 endpoints: 2 healthy");
    expect(await one.codes()).toEqual({ alpha: "ok", beta: "fail", gamma: "ok" });
  });

  test("a service that left the catalogue loses its document, and no other does", async () => {
    const one = await stage();
    await one.run();
    await one.writeCatalogue([{ slug: "beta" }, { slug: "gamma" }]);
    const result = await one.run();
    // Its detail, a page and a feed in each language; pictures have not been drawn yet.
    expect(result.stdout).toContain("5 removed");
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
    const one = await stage();
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
    "a replay of an earlier time counts nothing and never brings older documents back",
    async () => {
      const one = await stage();
      await one.set("beta", { kind: "tls-reset" });
      await one.run(["--at", NOON]);
      await one.run(["--at", "2026-11-02T12:00:01Z"]);
      expect(await one.codes()).toMatchObject({ beta: "fail_long" });
      const before = await one.documents();
      const again = await one.run(["--at", "2026-11-01T12:30:00Z"]);
      expect(again.stdout).toContain("0 objects written");
      expect(await one.documents()).toEqual(before);
    },
  );

  test("a state from a clock that was days ahead is refused, and nothing is probed or overwritten", async () => {
    const one = await stage();
    await one.run(["--at", new Date(Date.now() + 3 * 86_400_000).toISOString()]);
    const before = { documents: await one.documents(), connections: one.allConnections() };
    const refused = await one.run();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("ahead of this clock");
    expect(await one.documents()).toEqual(before.documents);
    expect(one.allConnections()).toBe(before.connections);
  });

  test("a confirmation that the deadline cuts short is warned of", async () => {
    const one = await stage();
    const { stderr } = await one.run(["--confirm", "20,60,300"]);
    expect(stderr).toContain("no new failure can be confirmed");
  });

  test.runIf(isFull)(
    "a clock behind the last run is told, and the run still counts, a second after the last",
    async () => {
      const one = await stage();
      const ahead = Math.floor(Date.now() / 1_000) + 3_600;
      await one.run(["--at", new Date(ahead * 1_000).toISOString()]);
      const result = await one.run();
      expect(result).toMatchObject({ code: 0 });
      expect(eventsNamed(result.stderr, "clock-behind")).toHaveLength(1);
      expect((await one.list()).updated).toBe(ahead + 1);
    },
  );
});

describe("the runner offline", () => {
  const cut = async (one: Stage, hosts: readonly string[]): Promise<void> => {
    for (const host of hosts) await one.set(host, { kind: "tcp-refused" });
  };

  test("nothing is folded: exit 3, `updated` stays, and after 15 minutes the codes turn none", async () => {
    const one = await stage();
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
    "the first run ever publishes the complete API of none, dated to that attempt for good",
    async () => {
      const one = await stage();
      await cut(one, ["d1", "d2", "d3", "d4", "f1", "f2", "f3"]);
      expect(await one.run(["--at", "2026-11-01T12:00:00Z"])).toMatchObject({ code: 3 });
      expect(await one.list()).toMatchObject({
        updated: Date.parse("2026-11-01T12:00:00Z") / 1_000,
        services: [{ code: "none" }, { code: "none" }, { code: "none" }],
      });
      expect(await one.detail("beta")).toMatchObject({ code: "none", live: false, since: null });
      expect(one.connections("alpha")).toBe(0);
      const before = await one.published();
      expect(await one.run(["--at", "2026-11-01T12:05:00Z"])).toMatchObject({ code: 3 });
      // But for pictures, which the second publish draws.
      const after = [...(await one.published())].filter(([path]) => !path.startsWith("card/"));
      expect(new Map(after)).toEqual(before);
    },
  );
});
