import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isFull } from "../depth.ts";
import type { Behaviour } from "../simulated-internet/behaviour.ts";
import {
  type SimulatedInternet,
  startSimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import type { State } from "../../src/model/state.ts";
import { decodeState, encodeState } from "../../src/state/codec/state.ts";
import { openPlaces } from "../simulated-internet/places.ts";
import { spoil, wrongWorld } from "./wrong-world.ts";
import { openWorkspace, type Workspace, type WorkspaceService } from "./workspace.ts";

/* The first day on the address of a data centre, over real sockets. Source: docs/services/verdicts.md. */

const NOON = Date.parse("2026-11-26T12:00:00Z");
const MINUTE = 60_000;
const CATALOGUE = ["--catalogue", "catalogue.json"];

let internet: SimulatedInternet;
let one: Workspace;
beforeAll(async () => {
  internet = await startSimulatedInternet();
});
afterAll(() => internet.close());
afterEach(() => one.close());

const at = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();

/** A run at so many minutes, and its verdicts. */
async function runAt(minutes: number, args: readonly string[] = []) {
  const done = await one.run(["--at", at(minutes), ...args]);
  expect(done, done.stderr).toMatchObject({ code: 0 });
  return one.codes();
}

const dns = (): readonly string[] => ["--dns", `127.0.0.1:${internet.dnsPort}`];

describe.skipIf(isFull)("endpoints that are wrong", () => {
  test("leave nothing known of a service, whatever its side endpoints do", async () => {
    one = await openWorkspace(internet, wrongWorld(), true);
    await spoil(one);
    for (const minute of [0, 5, 10]) {
      const codes = await runAt(minute, dns());
      expect(new Set(Object.values(codes))).toEqual(new Set(["none"]));
    }
    const { stdout } = await one.cli(["explain", "s0", ...CATALOGUE]);
    expect(stdout).toContain("only walls against robots answer");
    expect((await one.cli(["explain", "s1", ...CATALOGUE])).stdout).toContain(
      "no critical endpoint has ever",
    );
    const published = await one.published();
    const told = [...published].filter(([, text]) => text.includes("ещё ни разу до него не дошли"));
    expect(told.map(([path]) => path).join()).toContain("s1");
  });
});

const OWNERS: Readonly<Record<string, Behaviour>> = {
  silence: { kind: "tls-reset" },
  dropped: { kind: "tcp-refused" },
  reset: { kind: "tcp-reset" },
};

function ownersOf(names: readonly string[]): readonly WorkspaceService[] {
  return names.map((slug) => ({
    slug,
    endpoints: [
      { host: slug, critical: true, refuses: ["hosting"] },
      { host: `${slug}-id`, critical: true, refuses: ["hosting"] },
    ],
  }));
}

const SOMETIMES = ["silence", "dropped", "reset"].map((name) => `${name}-at-times`);

async function refuse(behaviourOf: (name: string) => Behaviour): Promise<void> {
  for (const slug of Object.keys(OWNERS))
    for (const host of [slug, `${slug}-id`]) await one.set(host, behaviourOf(slug));
}

describe("owners that drop the runner", () => {
  const HOURS = 26;
  const EVERY = isFull ? 15 : 120;

  test("are never told as down, and what works again is told at once", async () => {
    one = await openWorkspace(internet, ownersOf(Object.keys(OWNERS)), true);
    await refuse((name) => OWNERS[name] ?? { kind: "page" });
    for (let minute = 0; minute <= HOURS * 60; minute += EVERY)
      expect(new Set(Object.values(await runAt(minute)))).toEqual(new Set(["none"]));
    expect((await one.cli(["explain", "reset", ...CATALOGUE])).stdout).toContain(
      "address of a data centre",
    );
    // On the line of a subscriber silence is an outage, once the service has answered.
    await refuse(() => ({ kind: "page" }));
    expect(await runAt(HOURS * 60 + 5)).toMatchObject({ reset: "ok" });
  });

  test("are never told as down if they drop two connections of three", async () => {
    one = await openWorkspace(internet, ownersOf(SOMETIMES), true);
    const dropping = (behaviour: Behaviour): Behaviour => ({
      kind: "sequence",
      steps: Array.from({ length: 600 }, (_, index) =>
        index % 3 === 2 ? { kind: "page" } : behaviour,
      ) as never,
    });
    for (const slug of SOMETIMES)
      for (const host of [slug, `${slug}-id`])
        await one.set(
          host,
          dropping({ kind: slug.startsWith("reset") ? "tls-close" : "tls-reset" }),
        );
    const seen = new Set<string>();
    for (let minute = 0; minute <= HOURS * 60; minute += EVERY)
      for (const code of Object.values(await runAt(minute))) seen.add(code);
    expect([...seen].filter((code) => code !== "ok" && code !== "none")).toEqual([]);
    expect(seen).toContain("ok");
  });

  test.skipIf(isFull)(
    "that answer 5xx or show an expired certificate are told at once",
    async () => {
      one = await openWorkspace(internet, ownersOf(Object.keys(OWNERS)), true);
      await refuse((name) => OWNERS[name] ?? { kind: "page" });
      await runAt(0);
      await refuse((name) =>
        name === "reset"
          ? { kind: "page", certificate: "expired" }
          : { kind: "page", status: 503, body: "oops" },
      );
      expect(await runAt(5)).toEqual({ silence: "err", dropped: "err", reset: "fail" });
    },
  );

  test.skipIf(isFull)(
    "that have let it in for 300 runs are down when they fall silent",
    async () => {
      one = await openWorkspace(internet, ownersOf(["reset"]), true);
      await runAt(0);
      await letIn(300);
      for (const host of ["reset", "reset-id"]) await one.set(host, { kind: "tls-reset" });
      expect(await runAt(5 * 300)).toEqual({ reset: "fail" });
    },
  );
});

/** Lengthens the history of the state to so many runs, of which one in a hundred needed a second attempt. */
async function letIn(runs: number): Promise<void> {
  const file = join(one.folder, ".state/state.json.gz");
  const decoded = decodeState(await readFile(file));
  if (decoded.kind !== "ok") throw new Error(decoded.message);
  const { value: state } = decoded;
  const samples = Array.from({ length: runs }, (_, index) => (index % 100 === 0 ? "~" : "c")).join(
    "",
  );
  const longer: State = {
    ...state,
    history: {
      ...state.history,
      updatedAtMs: NOON + 5 * MINUTE * (runs - 1),
      runs: Array.from({ length: runs }, (_, index) => ({
        atMs: NOON + 5 * MINUTE * index,
        isCongested: false,
        connectivity: "fine" as const,
      })),
      endpoints: new Map([...state.history.endpoints].map(([url]) => [url, samples])),
      services: new Map(
        [...state.history.services].map(([slug, record]) => [
          slug,
          {
            ...record,
            checkedAtMs: NOON + 5 * MINUTE * (runs - 1),
            strip: "u".repeat(runs),
          },
        ]),
      ),
    },
  };
  await writeFile(file, encodeState(longer));
}

test.skipIf(isFull)(
  "a place on a home line tells of an owner that drops data centres",
  async () => {
    const places = await openPlaces(["moscow", "flat"]);
    try {
      one = await openWorkspace(
        places.at("moscow"),
        [{ slug: "bank", endpoints: [{ host: "bank", refuses: ["hosting"] }] }],
        true,
      );
      const made = await one.cli(["vantage", "keygen", "--key", "flat.jwk"]);
      const line = `{ id: flat, kind: moscow, line: home, country: RU, asn: 12389, network: Flat, ${made.stdout.trim()} }`;
      await writeFile(join(one.folder, "vantages.yaml"), `vantages:\n  - ${line}\n`);
      const answer = async (): Promise<void> => {
        const lines = places.connectToLines("flat", one.hosts.map(one.host));
        await writeFile(join(one.folder, "flat-hosts.txt"), lines.join("\n"));
        const anchors = ["d1", "d2", "d3", "f1"].flatMap((name) => [
          "--set",
          `anchor=https://${one.host(name)}/`,
        ]);
        const store = ["--ask", "file:exchange", "--id", "flat", "--key", "flat.jwk"];
        const network = ["--connect-to", "@flat-hosts.txt", "--allow-private", "127.0.0.0/8"];
        const done = await one.cli(["vantage", ...store, ...network, ...anchors]);
        expect(done, done.stderr).toMatchObject({ code: 0 });
      };
      const run = async (): Promise<string | undefined> => {
        const done = await one.run(["--set", "exchange=file:exchange"]);
        expect(done, done.stderr).toMatchObject({ code: 0 });
        return (await one.codes())["bank"];
      };
      await one.set("bank", { kind: "tls-reset" });
      expect(await run()).toBe("none");
      await answer();
      expect(await run()).toBe("ok");
      places.at("flat").set(one.host("bank"), { kind: "tls-reset" });
      await run();
      await answer();
      expect(await run()).toBe("fail");
    } finally {
      await places.close();
    }
  },
);
