import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { monitorOf } from "../site/monitor-fixture.ts";
import { read } from "./site-visitors.ts";
import { receiveVisits } from "./site-visits.ts";

/** Elements that must not overlap or be cut off on a narrow screen. */
const visits = receiveVisits();

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const boxOf = (page: Page, expression: string): Promise<Box> =>
  read(
    page,
    `(({ left, right, top, bottom }) => ({ left, right, top, bottom }))((${expression}).getBoundingClientRect())`,
  );

const narrow = (width: number) => ({ viewport: { width, height: 640 } });

test.each([
  [320, ""],
  [360, ""],
  [360, "/en"],
  [1280, ""],
])("at %i pixels, a long search on %s/ ends before the count", async (width, prefix) => {
  const page = await visits.visit(`${prefix}/`, narrow(width));
  const box = await boxOf(page, `document.querySelector("#search")`);
  for (const query of ["о".repeat(200), "а"]) {
    await page.locator("#search").fill(query);
    expect(await page.locator("#found").textContent()).not.toBe("");
    const found = await boxOf(page, `document.querySelector("#found")`);
    const padding: number = await read(
      page,
      `parseFloat(getComputedStyle(document.querySelector("#search")).paddingRight)`,
    );
    expect(found.right).toBeLessThan(box.right);
    expect(found.left).toBeGreaterThanOrEqual(box.right - padding);
  }
  // The field itself does not move.
  expect(await boxOf(page, `document.querySelector("#search")`)).toEqual(box);
});

test.each([320, 360, 1280])(
  "at %i pixels, a notice covers neither focused elements nor the end",
  async (width) => {
    const page = await visits.visit("/", narrow(width));
    visits.harness.behaviour.nowMs += 16 * 60_000;
    await page.clock.fastForward(60_000);
    await page.locator("#notice").waitFor({ state: "visible" });
    const notice = await boxOf(page, `document.querySelector("#notice")`);
    const seen: string[] = [];
    for (;;) {
      await page.keyboard.press("Tab");
      // After the last element, the browser itself has the focus.
      if (await read(page, `document.activeElement === document.body`)) break;
      const focused = await boxOf(page, "document.activeElement");
      seen.push(await read(page, `document.activeElement.textContent`));
      if (focused.bottom > notice.top) throw new Error(`${seen.at(-1)} is covered`);
    }
    expect(seen.length).toBeGreaterThan(25);
    await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight)`);
    const end = await boxOf(page, `document.querySelector(".bottom ul")`);
    expect(end.bottom).toBeLessThanOrEqual(notice.top);
    expect(end.bottom).toBeGreaterThan(0);
  },
  60_000,
);

test("at 360 pixels, a snippet is as wide as its parent", async () => {
  const page = await visits.visit(`/m/${monitorOf().id}`, narrow(360));
  const widths: readonly (readonly [number, number])[] = await read(
    page,
    `[...document.querySelectorAll(".snippet textarea")].map((area) => [area.offsetWidth, area.parentElement.offsetWidth])`,
  );
  expect(widths).toHaveLength(3);
  for (const [own, around] of widths) {
    expect(own).toBe(around);
    expect(own).toBeGreaterThan(250);
  }
});
