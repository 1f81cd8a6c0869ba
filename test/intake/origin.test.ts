import { expect, test } from "vitest";
import { type Lab, startLab } from "./lab.ts";

const PARTNER = "https://partner.example";
const OWN = "https://status.example";

/** What a browser says of a report that the page at a host sends to that very host. */
function ownPage(host: string, scheme = "http"): Readonly<Record<string, string>> {
  return { Host: host, Origin: `${scheme}://${host}`, "Sec-Fetch-Site": "same-origin" };
}

/** The same of a page under `Referrer-Policy: no-referrer`. */
function shyPage(host: string): Readonly<Record<string, string>> {
  return { Host: host, Origin: "null", "Sec-Fetch-Site": "same-origin" };
}

/** A browser that leaves the origin out, but says that it is the same. */
function saidOwn(host: string): Readonly<Record<string, string>> {
  return { Host: host, "Sec-Fetch-Site": "same-origin" };
}

async function statusOf(lab: Lab, headers: Readonly<Record<string, string>>): Promise<number> {
  return (await lab.post("/report/sberbank", undefined, headers)).status;
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
  "on the loopback a page at %s is ours, whatever ends its TLS",
  async (host) => {
    const lab = await startLab();
    const pages = [ownPage(host), ownPage(host, "https"), shyPage(host), saidOwn(host)];
    const statuses = await Promise.all(pages.map((page) => statusOf(lab, page)));
    expect(statuses).toEqual([202, 202, 202, 202]);
  },
);

test.each(OTHER_HOSTS)(
  "on the loopback a page at %s is not ours, though its name may point here",
  async (host) => {
    const lab = await startLab();
    const pages = [ownPage(host), ownPage(host, "https"), shyPage(host), saidOwn(host)];
    const statuses = await Promise.all(pages.map((page) => statusOf(lab, page)));
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect(lab.inbox.attempts).toEqual([]);
  },
);

test("on the loopback a Host in capitals is the same host", async () => {
  const lab = await startLab();
  const page = { Host: "LocalHost:8081", Origin: "http://localhost:8081" };
  expect(await statusOf(lab, page)).toBe(202);
});

test("on the loopback a page of another port or another loopback name is not ours", async () => {
  const lab = await startLab();
  const from = (origin: string) => statusOf(lab, { Host: "localhost:8081", Origin: origin });
  expect(await from("http://localhost:3000")).toBe(403);
  expect(await from("http://localhost")).toBe(403);
  expect(await from("http://127.0.0.1:8081")).toBe(403);
  expect(await from("ftp://localhost:8081")).toBe(403);
});

test.each([...LOOPBACK_HOSTS, ...OTHER_HOSTS])(
  "off the loopback, without an origin of our own, a page at %s is not ours",
  async (host) => {
    const lab = await startLab({ isLoopbackOwn: false });
    const pages = [ownPage(host), ownPage(host, "https"), shyPage(host), saidOwn(host)];
    const statuses = await Promise.all(pages.map((page) => statusOf(lab, page)));
    expect(statuses).toEqual([403, 403, 403, 403]);
  },
);

test("a page of a told origin is accepted everywhere, whatever the Host", async () => {
  for (const rules of [{}, { isLoopbackOwn: false }, { ownOrigin: OWN }]) {
    const lab = await startLab(rules);
    for (const host of ["127.0.0.1:8081", "intake.example"]) {
      expect(await statusOf(lab, { Host: host, Origin: PARTNER })).toBe(202);
    }
  }
});

test("what is no page is accepted everywhere, whatever the Host", async () => {
  for (const rules of [{}, { isLoopbackOwn: false }, { ownOrigin: OWN }]) {
    const lab = await startLab(rules);
    for (const host of ["127.0.0.1:8081", "status.example", "10.0.0.7"]) {
      expect(await statusOf(lab, { Host: host })).toBe(202);
      expect(await statusOf(lab, { Host: host, "Sec-Fetch-Site": "none" })).toBe(202);
    }
  }
});

test("with an origin of our own only its pages are ours, even on the loopback", async () => {
  const lab = await startLab({ ownOrigin: OWN });
  const from = (origin: string, host = "status.example") =>
    statusOf(lab, { Host: host, Origin: origin });
  expect(await from(OWN)).toBe(202);
  // A front may name itself to us as it likes.
  expect(await from(OWN, "127.0.0.1:8081")).toBe(202);
  expect(await from("http://status.example")).toBe(403);
  expect(await from("https://status.example:8443")).toBe(403);
  expect(await from("https://evil.status.example")).toBe(403);
  expect(await statusOf(lab, ownPage("localhost:8081"))).toBe(403);
});

test("with an origin of our own a page that hides its origin is believed at our host alone", async () => {
  const lab = await startLab({ ownOrigin: "https://status.example:8443" });
  for (const host of ["status.example:8443", "status.example", "STATUS.example:8443"]) {
    expect(await statusOf(lab, shyPage(host))).toBe(202);
    expect(await statusOf(lab, saidOwn(host))).toBe(202);
  }
  for (const host of ["evil.example", "status.example.evil.example", "127.0.0.1:8081"]) {
    expect(await statusOf(lab, shyPage(host))).toBe(403);
    expect(await statusOf(lab, saidOwn(host))).toBe(403);
  }
});
