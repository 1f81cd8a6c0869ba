import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { OPERATOR_NETWORKS_FILE } from "../../src/reports/operators/operator-table.ts";
import { ask } from "./ask.ts";
import { findHeaderProblems, type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { Edit } from "./fronts.ts";

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
});

afterAll(() => harness.close());

/** As an operator takes them in, behind a proxy on loopback. */
const EDITS: readonly Edit[] = [
  [
    "# include /etc/nginx/operator-networks.txt",
    `include ${fileURLToPath(OPERATOR_NETWORKS_FILE)}`,
  ],
  ["# set_real_ip_from 203.0.113.0/24;", "set_real_ip_from 127.0.0.0/8;"],
  ["# real_ip_header X-Forwarded-For;", "real_ip_header X-Forwarded-For;"],
];

describe.each(["nginx", "nginx-directory"] as const)("%s", (name) => {
  test("tells each reader his operator, and caches keep none of it", async () => {
    const front = await harness.start(name, { edits: EDITS });
    const of = (address: string) =>
      ask(front.url, "/operator", { headers: { "X-Forwarded-For": address } });
    const [mts, rostelecom, mgts, other] = await Promise.all(
      ["213.87.1.1", "::ffff:178.66.1.1", "2a00:1370::1", "77.88.8.8"].map(of),
    );
    expect([mts, rostelecom, mgts, other].map((answer) => answer?.body)).toEqual([
      "mts",
      "rostelecom",
      "mgts",
      "",
    ]);
    for (const answer of [mts, mgts, other]) {
      expect(answer?.status).toBe(200);
      expect(answer?.header("cache-control")).toBe("no-store");
      expect(answer?.header("content-type")).toBe("text/plain; charset=utf-8");
      expect(answer && findHeaderProblems(answer)).toEqual([]);
    }
    const head = await ask(front.url, "/operator?x", { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  test("tells no operator as shipped, and has no second name for it", async () => {
    const front = await harness.start(name);
    const asked = await ask(front.url, "/operator");
    expect([asked.status, asked.body]).toEqual([200, ""]);
    for (const target of [
      "/operator/",
      "//operator",
      "/Operator",
      "/en/operator",
      "/operator.html",
    ])
      expect((await ask(front.url, target)).status, target).toBe(404);
    expect((await ask(front.url, "/operator", { method: "POST" })).status).toBe(405);
    expect((await ask(front.url, "/operator", { method: "OPTIONS" })).status).toBe(204);
  });
});
