import { HARD_PAGES } from "./hard-pages.ts";
import { describe, expect, test } from "vitest";
import {
  concludeLook,
  readProofFile,
  readProofPage,
  readProofRecords,
} from "../../../src/monitors/ownership/read-proof.ts";
import { registrableDomainOf } from "../../../src/model/registrable-domain.ts";
import { isAddress } from "../../../src/model/host-name.ts";
import {
  challengePlaces,
  placesWithoutSite,
} from "../../../src/monitors/ownership/challenge-places.ts";
import type { PlaceFinding } from "../../../src/model/monitor/owned-monitor.ts";
import type { ProofMethod } from "../../../src/model/monitor/owner-channel.ts";
import { tokenOf } from "../../model/owned-samples.ts";

const TOKEN = tokenOf("t");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a proof file", () => {
  test.each([
    ["the token alone", TOKEN],
    ["a line break after it", `${TOKEN}\n`],
    ["a Windows line break and a byte order mark", `\uFEFF${TOKEN}\r\n`],
    ["blanks around it", `  ${TOKEN}\t`],
    ["another token before it", `${tokenOf("u")}\n${TOKEN}`],
  ])("with %s has the token", (_, text) => {
    expect(readProofFile(bytes(text))).toContain(TOKEN);
  });

  test("with the token inside a line does not have it", () => {
    expect(readProofFile(bytes(`<p>${TOKEN}</p>`))).not.toContain(TOKEN);
  });

  test("of a million lines has a few", () => {
    expect(readProofFile(bytes("a\n".repeat(1_000_000))).length).toBe(20);
  });
});

test("the strings of one TXT record belong together, two records do not", () => {
  expect(readProofRecords([[TOKEN.slice(0, 9), TOKEN.slice(9)], ["v=spf1"]])).toEqual([
    TOKEN,
    "v=spf1",
  ]);
});

describe("a page", () => {
  const tag = `<meta name="status-snapshot" content="${TOKEN}">`;

  test.each([
    ["in the head", `<!doctype html><html><head><title>x</title>${tag}</head><body></body></html>`],
    ["without a head element", `<!doctype html><title>x</title>${tag}<p>text`],
    ["in capitals and single quotes", `<HEAD><META CONTENT='${TOKEN}' NAME='STATUS-SNAPSHOT'/>`],
    ["after a script", `<head><script>if (a < b) document.write("</p>")</script>${tag}`],
    ["in XHTML", `<?xml version="1.0"?><html><head>${tag.replace(">", "/>")}</head></html>`],
  ])("with the tag %s has the token", (_, html) => {
    expect(readProofPage(bytes(html))).toEqual([TOKEN]);
  });

  test.each([
    ["in the body, where visitors write", `<head></head><body>${tag}</body>`],
    ["after text", `<title>x</title>Hello ${tag}`],
    ["in a comment", `<head><!-- ${tag} --></head>`],
    ["in a script", `<head><script>"${tag}"</script></head>`],
    ["in a style", `<head><style>${tag}</style></head>`],
    ["in the title", `<head><title>${tag}</title></head>`],
    ["in a template", `<head><template>${tag}</template></head>`],
    ["in an attribute", `<head><meta name="x" content='${tag}'></head>`],
    ["in a text field", `<textarea>${tag}</textarea>`],
    ["with another name", `<head>${tag.replace("status-snapshot", "status-snapshots")}</head>`],
    ["escaped", `<head>${tag.replaceAll("<", "&lt;")}</head>`],
    ["in a second head", `<head></head><body><head>${tag}</head></body>`],
  ])("with the tag %s does not have it", (_, html) => {
    expect(readProofPage(bytes(html))).toEqual([]);
  });

  test.each(HARD_PAGES)("$name: is read rightly", ({ html, tokens }) => {
    expect(readProofPage(bytes(html))).toEqual(tokens);
  });
});

describe("a head", () => {
  const tag = `<meta name="status-snapshot" content="${TOKEN}">`;
  const tokensIn = (html: string): readonly string[] => readProofPage(bytes(html));

  test("is read up to 2,000 tags", () => {
    expect(tokensIn("<link>".repeat(1_999) + tag)).toEqual([TOKEN]);
    expect(tokensIn("<link>".repeat(2_000) + tag)).toEqual([]);
  });

  test("is read up to 16,384 characters of attributes, names and values", () => {
    // "name", "status-snapshot", "content" and the token have 48, "href" has 4.
    const link = (length: number): string => `<link href="${"x".repeat(length - 4)}">`;
    expect(tokensIn(link(16_384 - 48) + tag)).toEqual([TOKEN]);
    expect(tokensIn(link(16_385 - 48) + tag)).toEqual([]);
    expect(tokensIn(link(8_000) + link(8_000) + link(384 - 48) + tag)).toEqual([TOKEN]);
    expect(tokensIn(link(8_000) + link(8_000) + link(385 - 48) + tag)).toEqual([]);
  });

  test("gives the first twenty tokens, without blank ones", () => {
    const tags = Array.from({ length: 21 }, (_, at) => tag.replace(TOKEN, ` t${at} `));
    expect(tokensIn(tag.replace(TOKEN, " ") + tags.join(""))).toEqual(
      Array.from({ length: 20 }, (_, at) => `t${at}`),
    );
  });

  test.each([
    ["</head>", []],
    ["</body>", []],
    ["</html>", []],
    ["</br>", []],
    ["</div>", [TOKEN]],
    ["<template></head></template>", [TOKEN]],
    ["<template></template></template>", [TOKEN]],
    ["<template><template></template>text", [TOKEN]],
    ["<title>x</title> \n", [TOKEN]],
    ["<title>x</title>text", []],
    ["<style>x</style>", [TOKEN]],
    ["<script>x</script>\u0000", []],
    ["<noscript><p></noscript>", [TOKEN]],
    ["<noframes><p></noframes>", [TOKEN]],
    ["<base><basefont><bgsound><link><meta>", [TOKEN]],
    ["<p>", []],
  ])("goes on after %j, or has ended", (before, tokens) => {
    const isInTemplate = before.endsWith("text") && before.startsWith("<template>");
    expect(tokensIn(before + (isInTemplate ? "</template>" : "") + tag)).toEqual(tokens);
  });
});

test.each([
  ["shop.example.ru", "example.ru"],
  ["a.b.example.co.uk", "example.co.uk"],
  ["user.github.io", "user.github.io"],
  ["магазин.xn--p1ai", "магазин.xn--p1ai"],
  ["xn--80aswg.xn--p1ai", "xn--80aswg.xn--p1ai"],
  ["192.0.2.1", "192.0.2.1"],
  ["[2001:db8::1]", "[2001:db8::1]"],
  ["co.uk", "co.uk"],
])("the registrable domain of %s is %s", (host, domain) => {
  expect(registrableDomainOf(host)).toBe(domain);
});

test("an owner is told where to put what; an address has no DNS", () => {
  expect(challengePlaces("a", "https://shop.example.ru:8443/x?y", TOKEN)).toEqual({
    file: {
      url: "https://shop.example.ru:8443/.well-known/status-snapshot/a.txt",
      content: TOKEN,
    },
    dns: { name: "_status-snapshot-challenge.shop.example.ru", type: "TXT", value: TOKEN },
    meta: {
      url: "https://shop.example.ru:8443/x?y",
      tag: `<meta name="status-snapshot" content="${TOKEN}">`,
    },
  });
  for (const host of ["[2001:db8::1]", "192.0.2.10"])
    expect(challengePlaces("a", `http://${host}/`, TOKEN)).toEqual({
      file: { url: `http://${host}/.well-known/status-snapshot/a.txt`, content: TOKEN },
      meta: {
        url: `http://${host}/`,
        tag: `<meta name="status-snapshot" content="${TOKEN}">`,
      },
    });
});

test("a stranger is told where to put what on the site, and not on which", () => {
  expect(placesWithoutSite("a", TOKEN)).toEqual({
    file: { url: "/.well-known/status-snapshot/a.txt", content: TOKEN },
    dns: { name: "_status-snapshot-challenge", type: "TXT", value: TOKEN },
    meta: { tag: `<meta name="status-snapshot" content="${TOKEN}">` },
  });
});

test("only four numbers, or brackets, are an address", () => {
  const hosts = ["1.2.3.4", "255.255.255.255", "[::1]", "1.2.3.4.ru", "a1.2.3.4", "1.2.3", "a.ru"];
  expect(hosts.filter(isAddress)).toEqual(["1.2.3.4", "255.255.255.255", "[::1]"]);
});

describe("a look", () => {
  const lookOf = (findings: Partial<Record<ProofMethod, PlaceFinding>>, isDenied = false) => ({
    atMs: 0,
    isDenied,
    places: new Map(
      Object.entries(findings).map(([method, finding]) => [
        method as ProofMethod,
        { place: "", finding },
      ]),
    ),
  });
  const FOUND = { kind: "found", token: TOKEN } as const;
  const ABSENT = { kind: "absent" } as const;
  const DOWN = { kind: "failed", code: "tcp-timeout" } as const;

  test("that finds the token at any place is a proof", () => {
    expect(concludeLook(lookOf({ dns: ABSENT, file: FOUND }), "dns")).toEqual({
      kind: "proof-seen",
      token: TOKEN,
      method: "file",
    });
  });

  test("that finds it at two places has the first", () => {
    const found = lookOf({ dns: DOWN, file: FOUND, meta: { ...FOUND, token: tokenOf("u") } });
    expect(concludeLook(found, undefined)).toMatchObject({ method: "file", token: TOKEN });
  });

  test("that finds nothing at the place of the proof says that it is gone", () => {
    const look = lookOf({ dns: DOWN, file: { kind: "other", excerpt: "x" }, meta: DOWN });
    expect(concludeLook(look, "file")).toEqual({ kind: "proof-missing" });
  });

  test("at a site that is down says nothing", () => {
    expect(concludeLook(lookOf({ dns: ABSENT, file: DOWN, meta: DOWN }), "file")).toBeUndefined();
  });

  test("at a site that redirects elsewhere says nothing", () => {
    const elsewhere = { kind: "elsewhere", host: "blocked.example" } as const;
    expect(concludeLook(lookOf({ file: elsewhere, meta: elsewhere }), "meta")).toBeUndefined();
  });

  test("for a monitor that was never proved says nothing if it finds nothing", () => {
    expect(concludeLook(lookOf({ file: ABSENT, meta: ABSENT }), undefined)).toBeUndefined();
  });

  test("at a domain that refuses is a refusal", () => {
    expect(concludeLook(lookOf({}, true), "file")).toEqual({ kind: "denied" });
  });
});
