import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isIntakePath } from "../../../src/reports/intake/create-intake.ts";
import { send } from "../../http-server/raw-http.ts";
import { makeFolder, startHarness } from "./harness.ts";

test.each([
  ["/report/sberbank", true],
  ["/report/", true],
  ["/report", false],
  ["/reports", false],
  ["/monitors", true],
  ["/monitors/one/two", true],
  ["/monitors.html", false],
  ["/push", true],
  ["/push/key", true],
  ["/pushed", false],
  ["/", false],
  ["/en/report/sberbank", false],
])("the intake answers %s: %s", (path, expected) => {
  expect(isIntakePath(path)).toBe(expected);
});

describe("a part of the intake", () => {
  const app = {
    fetch: ({ method, url }: Request, bindings: unknown) =>
      Response.json({ method, path: new URL(url).pathname, isSeen: bindings !== undefined }),
  };
  const metrics = (): Promise<string> => Promise.resolve("part_total 1\n");

  test("gets every request to its path and below, and adds its metrics", async () => {
    const parts = [{ path: "/monitors", app, metrics }] as const;
    const harness = await startHarness({ parts });
    for (const [method, path] of [
      ["GET", "/monitors"],
      ["DELETE", "/monitors/one/two"],
    ] as const) {
      const { status, body } = await harness.send(method, path);
      expect([status, JSON.parse(body)]).toEqual([200, { method, path, isSeen: true }]);
    }
    for (const path of ["/monitorsx", "/push", "/push/x"])
      expect(await harness.send("GET", path)).toMatchObject({ status: 404 });
    expect(await harness.post("/report/sberbank")).toMatchObject({ status: 202 });
    const { body } = await send(harness.operationsUrl, "GET", "/metrics");
    expect(body).toContain('accepted_total{kept="inbox"} 1\n');
    expect(body.endsWith("\npart_total 1\n")).toBe(true);
  });
});

test("only the user of the intake may read its journal", async () => {
  const folder = join(makeFolder(), "journal");
  const harness = await startHarness({ journal: { folder } });
  harness.inbox.mode = "failing";
  expect(await harness.post("/report/sberbank")).toMatchObject({ status: 202 });
  const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((path) => {
    return (statSync(path).mode & 0o777).toString(8);
  });
  expect(modes).toEqual(["700", "600"]);
});
