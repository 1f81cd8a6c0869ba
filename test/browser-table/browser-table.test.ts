import { afterAll, beforeAll, expect, test } from "vitest";
import { createProbe } from "../../src/probe/probe.ts";
import { type Harness, NEVER, openHarness, rulesOf } from "../probe/harness.ts";
import { ROWS, SIGN } from "./rows.ts";
import { hostOf, startTableServer, type TableServer } from "./server.ts";

let harness: Harness;
let server: TableServer;
beforeAll(async () => {
  harness = await openHarness();
  server = await startTableServer();
});
afterAll(() => Promise.all([harness.close(), server.close()]));

test.for(ROWS.map((row, index) => ({ ...row, index })))(
  "$name: $verdict",
  async ({ index, verdict, oddities = [] }) => {
    const connectTo = rulesOf([`::127.0.0.1:${server.port}`]);
    const probe = createProbe({ ...harness.deps, connectTo });
    const target = { url: `http://${hostOf(index)}/`, trust: "public", body: SIGN } as const;
    const outcome = await probe(target, 0, NEVER);
    if (outcome.kind === "skipped") throw new Error("skipped");
    expect(outcome.kind === "failed" ? outcome.code : "opens").toBe(verdict);
    if (verdict === "opens") expect(outcome.trace.oddities ?? []).toEqual(oddities);
  },
);
