import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { toDocument } from "../../src/model/service/snapshot.ts";
import { OPERATOR_NETWORKS_FILE } from "../../src/reports/operators/operator-table.ts";
import { ask } from "./ask.ts";
import { findHeaderProblems, type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { Edit } from "./fronts.ts";

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
  await harness.publish([toDocument("operator.txt", "unknown")]);
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
      ask(front.url, "/operator.txt?x", { headers: { "X-Forwarded-For": address } });
    const answers = await Promise.all(
      ["213.87.1.1", "::ffff:178.66.1.1", "2a00:1370::1", "77.88.8.8"].map(of),
    );
    expect(answers.map(({ body }) => body)).toEqual(["mts", "rostelecom", "mgts", "unknown"]);
    expect(answers.map((answer) => answer.header("cache-control"))).toEqual([
      "no-store",
      "no-store",
      "no-store",
      "max-age=60",
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toBe("text/plain; charset=utf-8");
      expect(findHeaderProblems(answer)).toEqual([]);
    }
    const headers = { "X-Forwarded-For": "213.87.1.1" };
    const other = (method: string) => ask(front.url, "/operator.txt", { method, headers });
    expect([(await other("HEAD")).body, (await other("POST")).status]).toEqual(["", 405]);
    expect((await ask(front.url, "//operator.txt", { headers })).status).toBe(404);
  });

  test("says as shipped what the object says", async () => {
    const front = await harness.start(name);
    const headers = { "X-Forwarded-For": "213.87.1.1" };
    expect((await ask(front.url, "/operator.txt", { headers })).body).toBe("unknown");
  });
});
