import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type H2Server, startH2Server } from "../../simulated-internet/h2-server.ts";
import { type HelloBox, HELLO_FILTERS, startHelloBox } from "../../simulated-internet/hello-box.ts";
import { ja4Of, shapeOf } from "../../simulated-internet/hello-shape.ts";
import { createProbe } from "../../../src/probe/probe.ts";
import { dependenciesFor, LIMITS, NEVER, rulesOf, shortFor, wordFor } from "../harness.ts";
import { startSimulatedInternet } from "../../simulated-internet/simulated-internet.ts";
import { askBrowser, CHROMIUM, isInstalled, targetOf } from "./harness.ts";

/**
 * What the captured Chromium sends and the package does not know yet: signatures by ML-DSA, and an extension that is not registered. If the
 * package catches up, the list shrinks; no test may pass with a longer one.
 */
const MISSING = { extensions: [51_764], signatureAlgorithms: ["GREASE", 2308, 2309, 2310] };

let server: H2Server;
let box: HelloBox;
beforeAll(async () => {
  server = await startH2Server("x".repeat(100_000));
  box = await startHelloBox(server.port);
});
afterAll(async () => {
  await box.close();
  await server.close();
});

describe.skipIf(!isInstalled)("with the optional package wreq-js", () => {
  test("the ClientHello is that of the captured Chromium, but for what is listed", async () => {
    box.set(undefined);
    await askBrowser(targetOf(box.port));
    const hello = box.hellos.at(-1)!;
    const expected = CHROMIUM.hello;
    expect(shapeOf(hello)).toEqual({
      ...expected,
      extensions: expected.extensions.filter((each) => !MISSING.extensions.includes(Number(each))),
      signatureAlgorithms: expected.signatureAlgorithms.filter(
        (each) => !MISSING.signatureAlgorithms.includes(each),
      ),
    });
  });

  test("the fingerprint is the one that the package promises for Chrome 149", async () => {
    await askBrowser(targetOf(box.port));
    // Source: README of wreq-js 3.1.0, for Chrome.
    expect(ja4Of(box.hellos.at(-1)!)).toBe("t13d1516h2_8daaf6152771_d8a2da3f94cd");
  });

  test("the order of the extensions changes from one connection to the next", async () => {
    const orders = new Set<string>();
    for (let count = 0; count < 4; count += 1) {
      await askBrowser(targetOf(box.port));
      orders.add(box.hellos.at(-1)!.extensions.slice(1, -1).join());
    }
    expect(orders.size).toBeGreaterThan(1);
  });

  test.each(HELLO_FILTERS)("a filter drops those $drops $mark", async (filter) => {
    box.set(filter);
    const isDropped = filter.drops === "having";
    const limits = isDropped ? shortFor("tlsMs") : LIMITS;
    expect(await askBrowser(targetOf(box.port), limits)).toEqual(
      isDropped
        ? { kind: "fails", stage: "tls", bytes: 0 }
        : { kind: "opens", status: 200, bytes: 70_000 },
    );
  });
});

/** Node 24 and later may send the hybrid key; none sends the others. */
const CERTAIN = HELLO_FILTERS.filter(({ mark }) => mark !== "hybrid-key");

test.each(CERTAIN)("for the probe it is the reverse: $drops $mark", async (filter) => {
  const internet = await startSimulatedInternet({
    hasOwnRoot: true,
    dns: { "*": { kind: "answer", addresses: ["127.0.0.1"] } },
  });
  const before = await startHelloBox(internet.tlsPort);
  before.set(filter);
  const isDropped = filter.drops === "lacking";
  const probe = createProbe({
    ...dependenciesFor(internet),
    connectTo: rulesOf([`:443::${before.port}`]),
    limits: isDropped ? shortFor("tlsMs") : LIMITS,
  });
  const outcome = await probe({ url: "https://h.test/", trust: "public" }, 0, NEVER);
  expect(wordFor(outcome)).toBe(isDropped ? "tls-timeout" : "ok");
  await before.close();
  await internet.close();
});
