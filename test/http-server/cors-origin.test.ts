import { expect, test } from "vitest";
import { type Harness, startHarness } from "../reports/intake/harness.ts";

const PARTNER = "https://partner.example";
const OWN = "https://status.example";

/** Headers of a browser whose page reports to its own host. */
function ownPage(host: string, scheme = "http"): Readonly<Record<string, string>> {
  return { Host: host, Origin: `${scheme}://${host}`, "Sec-Fetch-Site": "same-origin" };
}

/** The same under `Referrer-Policy: no-referrer`. */
function noReferrerPage(host: string): Readonly<Record<string, string>> {
  return { Host: host, Origin: "null", "Sec-Fetch-Site": "same-origin" };
}

/** A browser that sends `Sec-Fetch-Site` without an origin. */
function pageWithoutOrigin(host: string): Readonly<Record<string, string>> {
  return { Host: host, "Sec-Fetch-Site": "same-origin" };
}

async function statusOf(
  harness: Harness,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  return (await harness.post("/report/sberbank", undefined, headers)).status;
}

const LOOPBACK_HOSTS = [
  "localhost:8081",
  "localhost",
  "127.0.0.1:8081",
  "127.8.9.10:8081",
  "[::1]:8081",
  "[::ffff:7f00:1]:8081",
];

const OTHER_HOSTS = [
  "evil.example:8081",
  "evil.example",
  "localhost.evil.example:8081",
  "127.0.0.1.evil.example:8081",
  "sub.localhost:8081",
  "0.0.0.0:8081",
  "[::]:8081",
  "10.0.0.7:8081",
  "192.168.1.7:8081",
  "[fe80::7]:8081",
  "2130706433:8081",
];

test.each(LOOPBACK_HOSTS)(
  "on the loopback a page at %s is our own, with any TLS termination",
  async (host) => {
    const harness = await startHarness();
    const pages = [
      ownPage(host),
      ownPage(host, "https"),
      noReferrerPage(host),
      pageWithoutOrigin(host),
    ];
    const statuses = await Promise.all(pages.map((page) => statusOf(harness, page)));
    expect(statuses).toEqual([202, 202, 202, 202]);
  },
);

test.each(OTHER_HOSTS)(
  "on the loopback a page at %s is foreign, although its name may resolve to us",
  async (host) => {
    const harness = await startHarness();
    const pages = [
      ownPage(host),
      ownPage(host, "https"),
      noReferrerPage(host),
      pageWithoutOrigin(host),
    ];
    const statuses = await Promise.all(pages.map((page) => statusOf(harness, page)));
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect(harness.inbox.attempts).toEqual([]);
  },
);

test("on the loopback a Host in capitals is the same host", async () => {
  const harness = await startHarness();
  const page = { Host: "LocalHost:8081", Origin: "http://localhost:8081" };
  expect(await statusOf(harness, page)).toBe(202);
});

test("on the loopback a page of another port or another loopback name is foreign", async () => {
  const harness = await startHarness();
  const from = (origin: string) => statusOf(harness, { Host: "localhost:8081", Origin: origin });
  expect(await from("http://localhost:3000")).toBe(403);
  expect(await from("http://localhost")).toBe(403);
  expect(await from("http://127.0.0.1:8081")).toBe(403);
  expect(await from("ftp://localhost:8081")).toBe(403);
});

test.each([...LOOPBACK_HOSTS, ...OTHER_HOSTS])(
  "not on the loopback, without an own origin, a page at %s is foreign",
  async (host) => {
    const harness = await startHarness({ isLoopbackOwn: false });
    const pages = [
      ownPage(host),
      ownPage(host, "https"),
      noReferrerPage(host),
      pageWithoutOrigin(host),
    ];
    const statuses = await Promise.all(pages.map((page) => statusOf(harness, page)));
    expect(statuses).toEqual([403, 403, 403, 403]);
  },
);

test("a page of an allowed origin is accepted everywhere, with any Host", async () => {
  for (const rules of [{}, { isLoopbackOwn: false }, { ownOrigin: OWN }]) {
    const harness = await startHarness(rules);
    for (const host of ["127.0.0.1:8081", "intake.example"]) {
      expect(await statusOf(harness, { Host: host, Origin: PARTNER })).toBe(202);
    }
  }
});

test("a request without a page is accepted everywhere, with any Host", async () => {
  for (const rules of [{}, { isLoopbackOwn: false }, { ownOrigin: OWN }]) {
    const harness = await startHarness(rules);
    for (const host of ["127.0.0.1:8081", "status.example", "10.0.0.7"]) {
      expect(await statusOf(harness, { Host: host })).toBe(202);
      expect(await statusOf(harness, { Host: host, "Sec-Fetch-Site": "none" })).toBe(202);
    }
  }
});

test("with an own origin only its pages are our own, also on the loopback", async () => {
  const harness = await startHarness({ ownOrigin: OWN });
  const from = (origin: string, host = "status.example") =>
    statusOf(harness, { Host: host, Origin: origin });
  expect(await from(OWN)).toBe(202);
  // A reverse proxy may send any Host.
  expect(await from(OWN, "127.0.0.1:8081")).toBe(202);
  expect(await from("http://status.example")).toBe(403);
  expect(await from("https://status.example:8443")).toBe(403);
  expect(await from("https://evil.status.example")).toBe(403);
  expect(await statusOf(harness, ownPage("localhost:8081"))).toBe(403);
});

test("with an own origin a page that hides its origin is accepted only with our host", async () => {
  const harness = await startHarness({ ownOrigin: "https://status.example:8443" });
  for (const host of ["status.example:8443", "status.example", "STATUS.example:8443"]) {
    expect(await statusOf(harness, noReferrerPage(host))).toBe(202);
    expect(await statusOf(harness, pageWithoutOrigin(host))).toBe(202);
  }
  for (const host of ["evil.example", "status.example.evil.example", "127.0.0.1:8081"]) {
    expect(await statusOf(harness, noReferrerPage(host))).toBe(403);
    expect(await statusOf(harness, pageWithoutOrigin(host))).toBe(403);
  }
});
