import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readProxies } from "../../src/http-server/client-address.ts";
import { startHarness } from "../reports/intake/harness.ts";
import { ask, type Answered } from "./ask.ts";
import { type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { Edit, FrontName } from "./fronts.ts";

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "Content-Type": "application/json" };

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
});

afterAll(() => harness.close());

/** The shipped file, and its lines for reports: the first one and all comments after it. */
const SHIPPED: Readonly<Record<FrontName, readonly [file: string, lines: RegExp]>> = {
  nginx: [
    "nginx.conf",
    /^ {4}# location ~ \^\/\(\?:report\/\|\(\?:monitors\|push\)\(\?:\/\|\$\)\) \{\n(?: {4}# .*\n)+/mu,
  ],
  "nginx-directory": [
    "nginx-directory.conf",
    /^ {4}# location ~ \^\/\(\?:report\/\|\(\?:monitors\|push\)\(\?:\/\|\$\)\) \{\n(?: {4}# .*\n)+/mu,
  ],
  varnish: ["varnish.vcl", /^# backend intake \{\n(?:# .*\n)+/mu],
  caddy: ["Caddyfile", /^\t# @report .*\n(?:\t# .*\n)+/mu],
};

/** Activates the lines for reports, as an operator does, with the address of this intake. */
async function takeIn(name: FrontName, intakeUrl: string): Promise<readonly Edit[]> {
  const [path, pattern] = SHIPPED[name];
  const file = await readFile(new URL(`../../deploy/${path}`, import.meta.url), "utf8");
  const block = pattern.exec(file)?.[0] ?? "";
  const lines = block
    .replaceAll(/^(\s*)# /gmu, "$1")
    .replace("127.0.0.1:8081", new URL(intakeUrl).host)
    .replace('"8081"', `"${new URL(intakeUrl).port}"`);
  return [[block, lines]];
}

/** CORS headers and status of an answer. */
const readersOf = ({ status, lines }: Answered): readonly unknown[] => [
  lines
    .filter(([name]) => /^access-control-(?:allow-origin|expose-headers)$/u.test(name))
    .map(([, value]) => value),
  status,
];

const NAMES = ["nginx", "nginx-directory", "varnish", "caddy"] as const;

describe.each(NAMES)("%s with its lines for reports", (name) => {
  test("passes a report with its client address to the intake, and the answer back", async () => {
    const proxies = readProxies(["127.0.0.1/32"]);
    if (proxies.kind !== "ok") throw new Error(proxies.message);
    const intake = await startHarness({
      proxies: proxies.proxies,
      ownOrigin: "https://status.example",
    });
    const front = await harness.start(name, { edits: await takeIn(name, intake.url) });
    const post = (from: string, headers: Readonly<Record<string, string>>, body: string) =>
      ask(front.url, "/report/sberbank", { method: "POST", headers, body, from });

    const browser = { ...FORM, Accept: "text/html", "X-Forwarded-For": "192.0.2.1" };
    const sent = await post("127.0.3.1", browser, "symptom=slow");
    expect([sent.status, sent.header("location")]).toEqual([303, "/status/sberbank#reported"]);
    const taken = await post("127.0.4.1", JSON_TYPE, "{}");
    expect([taken.status, JSON.parse(taken.body)]).toEqual([
      202,
      expect.objectContaining({ reportsHour: 2 }),
    ]);
    expect(taken.header("cache-control")).toBe("no-store");
    expect(taken.lines.filter(([header]) => header === "x-content-type-options")).toHaveLength(1);
    await post("127.0.3.2", { ...JSON_TYPE, "X-Forwarded-For": "192.0.3.1" }, "{}");
    // The real networks of the clients, not those in their headers, and not that of the front.
    const [first, second, third] = intake.accepted.map(({ network }) => network);
    expect(first).toBe(third);
    expect(first).not.toBe(second);

    const partner = { ...JSON_TYPE, Origin: "https://partner.example" };
    const allowed = await post("127.0.3.4", partner, "{}");
    expect(readersOf(allowed)).toEqual([["https://partner.example", "Retry-After"], 202]);
    const foreign = { ...JSON_TYPE, Origin: "https://elsewhere.example" };
    expect(readersOf(await post("127.0.3.4", foreign, "{}"))).toEqual([[], 403]);
    const asked = await ask(front.url, "/report/sberbank", { method: "OPTIONS" });
    expect([asked.status, asked.header("allow")]).toEqual([204, "POST, OPTIONS"]);

    const lost = await ask(front.url, "/report/nobody", { method: "POST", body: "" });
    expect([lost.status, lost.body]).toEqual([404, '{"error":"not found"}']);
    const large = await post("127.0.3.3", FORM, "x".repeat(2_000));
    expect(large.status).toBe(413);
    const larger = await ask(front.url, "/report/sberbank", {
      method: "POST",
      headers: FORM,
      body: "x".repeat(30_000),
      from: "127.0.3.9",
    });
    expect([larger.status, larger.header("cache-control")]).toEqual([413, "no-store"]);
    const looked = await ask(front.url, "/report/sberbank");
    expect([looked.status, looked.header("allow")]).toEqual([405, "POST, OPTIONS"]);
    const brewed = await ask(front.url, "/report/sberbank", { method: "BREW" });
    expect([brewed.status, brewed.header("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect(readersOf(brewed)).toEqual([[], 405]);
    await front.stop();
  });

  // The site of the Caddyfile has only one host, so no other host reaches the intake there.
  test.runIf(name !== "caddy")(
    "passes the host on, which identifies a page that hides its origin",
    async () => {
      const intake = await startHarness({ ownOrigin: "https://status.example" });
      const front = await harness.start(name, { edits: await takeIn(name, intake.url) });
      const statusFor = async (host: string): Promise<number> => {
        const headers = {
          ...JSON_TYPE,
          Origin: "null",
          "Sec-Fetch-Site": "same-origin",
          Host: host,
        };
        const asked = { method: "POST", headers, body: "{}", from: "127.0.3.5" };
        return (await ask(front.url, "/report/sberbank", asked)).status;
      };
      expect(await statusFor("status.example")).toBe(202);
      expect(await statusFor("evil.example")).toBe(403);
      await front.stop();
    },
  );

  test("answers reports with 503 while there is no intake, and serves the rest", async () => {
    const front = await harness.start(name, { edits: await takeIn(name, "http://127.0.0.1:9") });
    const sent = await ask(front.url, "/report/sberbank", { method: "POST", headers: FORM });
    expect([sent.status, sent.body]).toEqual([503, '{"error":"temporarily unavailable"}']);
    expect(sent.header("cache-control")).toBe("no-store");
    expect(sent.header("x-content-type-options")).toBe("nosniff");
    expect((await ask(front.url, "/api/v1/status")).status).toBe(200);
    await front.stop();
  });
});
