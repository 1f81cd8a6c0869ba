import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY_MS, toUnixSeconds } from "../../src/model/time.ts";
import { VISITOR_KEPT_MS } from "../../src/model/monitor/visitor.ts";
import { T0 } from "../model/samples.ts";
import { bodyOf, createVisitorHarness, subscriptionOf, visitorsIn } from "./visitor-harness.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");

describe("a browser", () => {
  test("subscribes, changes its services and unsubscribes", async () => {
    const { ask, store } = createVisitorHarness();
    const made = await ask("POST", "/push", { body: bodyOf("a", ["vtb", "vtb", "telegram"]) });
    const { id, token } = made.body;
    expect(made.status).toBe(201);
    expect(made.headers.get("Location")).toBe(`/push/${id}`);
    expect(made.body).toEqual({
      id: sha256("https://fcm.googleapis.com/fcm/send/a"),
      token: expect.stringMatching(/^[\w-]{43}$/u),
      services: ["telegram", "vtb"],
      until: toUnixSeconds(T0 + VISITOR_KEPT_MS),
    });
    const changed = await ask("PUT", `/push/${id}`, { token, body: { services: ["sberbank"] } });
    expect([changed.status, changed.body.services]).toEqual([200, ["sberbank"]]);
    expect((await visitorsIn(store)).get(id)?.services).toEqual(["sberbank"]);
    const ended = await ask("DELETE", `/push/${id}`, { token });
    expect([ended.status, ended.text]).toEqual([204, ""]);
    expect((await visitorsIn(store)).size).toBe(0);
    expect((await ask("DELETE", `/push/${id}`, { token })).status).toBe(404);
  });

  test("is stored with nothing but what sending needs", async () => {
    const { ask, store } = createVisitorHarness();
    const { body } = await ask("POST", "/push", { body: bodyOf("a"), from: "203.0.113.9" });
    const [stored] = (await visitorsIn(store)).values();
    const { endpoint, keys } = subscriptionOf("a") as { endpoint: string; keys: object };
    expect(stored).toEqual({
      id: body.id,
      endpoint,
      ...keys,
      tokenHash: sha256(body.token),
      language: "ru",
      services: ["vtb"],
      renewedAtMs: T0,
      isUntried: true,
    });
  });

  test("that subscribes again takes its own place, and the token before is worth nothing", async () => {
    const { ask, store } = createVisitorHarness();
    const first = await ask("POST", "/push", { body: bodyOf("a", ["vtb"]) });
    const second = await ask("POST", "/push", { body: bodyOf("a", ["telegram"]) });
    expect(second.body.id).toBe(first.body.id);
    const visitors = await visitorsIn(store);
    expect([...visitors.values()].map(({ services }) => services)).toEqual([["telegram"]]);
    const { id, token } = first.body;
    expect((await ask("DELETE", `/push/${id}`, { token })).status).toBe(404);
    expect((await ask("DELETE", `/push/${id}`, { token: second.body.token })).status).toBe(204);
  });

  test("that was not heard of for a year is erased by the next change in its shard", async () => {
    const { ask, clock, store } = createVisitorHarness();
    for (let at = 0; at < 40; at += 1)
      await ask("POST", "/push", { body: bodyOf(`old-${at}`), from: `203.0.${at}.1` });
    clock.nowMs += VISITOR_KEPT_MS + DAY_MS;
    for (let at = 0; at < 400; at += 1)
      await ask("POST", "/push", { body: bodyOf(`new-${at}`), from: `198.51.${at % 250}.1` });
    const left = [...(await visitorsIn(store)).values()];
    const old = left.filter(({ endpoint }) => endpoint.includes("/old-"));
    // 400 browsers leave one shard in five untouched; the notifier erases what is in it.
    expect(old.length).toBeLessThan(25);
    expect(left.length - old.length).toBe(400);
  });

  test("renews its record with the same services", async () => {
    const { ask, clock, store } = createVisitorHarness();
    const { body } = await ask("POST", "/push", { body: bodyOf("a") });
    clock.nowMs += 100 * DAY_MS;
    const { id, token } = body;
    const renewed = await ask("PUT", `/push/${id}`, { token, body: { services: ["vtb"] } });
    expect(renewed.body.until).toBe(body.until + 100 * 86_400);
    expect((await visitorsIn(store)).get(id)?.renewedAtMs).toBe(clock.nowMs);
  });
});

test("a service that has left the catalogue is left out, and does not stop the others", async () => {
  const { ask } = createVisitorHarness();
  const made = await ask("POST", "/push", { body: bodyOf("a", ["vtb", "gone"]) });
  expect([made.status, made.body.services]).toEqual([201, ["vtb"]]);
  const none = await ask("POST", "/push", { body: bodyOf("b", ["gone"]) });
  expect([none.status, none.body.code, none.body.errors[0].pointer]).toEqual([
    422,
    "invalid",
    "/services",
  ]);
});

describe("without the key of a notifier", () => {
  test("a subscription is refused", async () => {
    const { ask, store } = createVisitorHarness(undefined, { isOn: false });
    const { status, body } = await ask("POST", "/push", { body: bodyOf("a") });
    expect([status, body.code]).toEqual([404, "off"]);
    expect((await visitorsIn(store)).size).toBe(0);
  });
});

test("metrics count what was done and refused, and name no browser", async () => {
  const { ask, intake } = createVisitorHarness();
  const { body } = await ask("POST", "/push", { body: bodyOf("a") });
  await ask("POST", "/push", { body: "{" });
  const text = await intake.metrics();
  const edits = "status_snapshot_push_edits_total";
  const refused = "status_snapshot_push_requests_refused_total";
  const lines = text.split("\n");
  expect(
    lines
      .filter((line) => !line.startsWith(`${refused}{`))
      .join("\n")
      .trim(),
  ).toBe(
    [
      `# HELP ${edits} Subscriptions of browsers that were made, changed and ended.`,
      `# TYPE ${edits} counter`,
      `${edits}{kind="subscribe"} 1`,
      `${edits}{kind="services"} 0`,
      `${edits}{kind="unsubscribe"} 0`,
      "",
      `# HELP ${refused} Requests about subscriptions that were refused, by reason.`,
      `# TYPE ${refused} counter`,
    ].join("\n"),
  );
  expect(lines).toContain(`${refused}{problem="malformed"} 1`);
  for (const problem of ["unknown", "off", "limit-network", "limit-host", "limit-all"])
    expect(lines).toContain(`${refused}{problem="${problem}"} 0`);
  expect(text).not.toContain(body.id);
});

test("a defect is a 500 that says nothing of it", async () => {
  const { ask } = createVisitorHarness(undefined, {
    nowMs: () => {
      throw new TypeError("the clock broke");
    },
  });
  const { status, text } = await ask("POST", "/push", { body: bodyOf("a") });
  expect(status).toBe(500);
  expect(text).not.toContain("clock");
});
