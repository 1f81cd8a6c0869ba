import { expect, test } from "vitest";
import { ok } from "../../model/samples.ts";
import { freshStores } from "../../publish/writers.ts";
import { ANCHOR_URLS, startRun } from "../run-harness.ts";

test("pages are loaded when services are probed, while the last anchors are asked", async () => {
  const order: string[] = [];
  const { result } = startRun(freshStores(), {
    outcomeOf: (url) => {
      const what = ANCHOR_URLS.includes(url) ? "anchors" : "services";
      if (order.at(-1) !== what) order.push(what);
      return ok();
    },
    loadPages: async () => void order.push("pages"),
  });
  expect(await result).toMatchObject({ kind: "valid" });
  expect(order).toEqual(["anchors", "services", "pages", "anchors"]);
});
