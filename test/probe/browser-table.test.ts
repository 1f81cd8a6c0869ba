import { afterAll, beforeAll, expect, test } from "vitest";
import { createProbe, type ProbeDependencies } from "../../src/probe/probe.ts";
import { type Harness, NEVER, openHarness, rulesOf, storable } from "./harness.ts";
import { openTlsTable, TLS_ROWS, tlsHostOf, type TlsTable } from "../browser-table/tls-table.ts";
import { SIGN } from "../browser-table/page.ts";
import { ROWS } from "../browser-table/rows.ts";
import { hostOf, startTableServer, type TableServer } from "../browser-table/server.ts";

let harness: Harness;
let server: TableServer;
let tls: TlsTable;
beforeAll(async () => {
  harness = await openHarness();
  server = await startTableServer();
  tls = await openTlsTable();
});
afterAll(() => Promise.all([harness.close(), server.close(), tls.close()]));

async function judge(url: string, deps: ProbeDependencies) {
  const target = { url, trust: "public", body: SIGN } as const;
  const outcome = storable(await createProbe(deps)(target, 0, NEVER));
  if (outcome.kind === "skipped") throw new Error("skipped");
  const verdict = outcome.kind === "failed" ? outcome.code : "opens";
  return { verdict, oddities: verdict === "opens" ? (outcome.trace.oddities ?? []) : [] };
}

test.for(ROWS.map((row, index) => ({ ...row, index })))(
  "$name: $verdict",
  async ({ index, verdict, oddities = [] }) => {
    const deps = { ...harness.deps, connectTo: rulesOf([`::127.0.0.1:${server.port}`]) };
    expect(await judge(`http://${hostOf(index)}/`, deps)).toEqual({ verdict, oddities });
  },
);

test.for(TLS_ROWS.map((row, index) => ({ ...row, index })))(
  "$name: $verdict",
  async ({ index, verdict, oddities = [] }) => {
    const deps = tls.depsOf(harness.deps);
    expect(await judge(`https://${tlsHostOf(index)}/`, deps)).toEqual({ verdict, oddities });
  },
);
