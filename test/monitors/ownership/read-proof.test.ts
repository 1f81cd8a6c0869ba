import { HARD_PAGES } from "./hard-pages.ts";
import { describe, expect, test } from "vitest";
import {
  concludeLook,
  readProofFile,
  readProofPage,
  readProofRecords,
} from "../../../src/monitors/ownership/read-proof.ts";
import { registrableDomainOf } from "../../../src/model/registrable-domain.ts";
import { challengePlaces } from "../../../src/monitors/ownership/challenge-places.ts";
import type { PlaceFinding, ProofMethod } from "../../../src/model/monitor/owned-monitor.ts";
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
  expect(challengePlaces("a", "http://[2001:db8::1]/", TOKEN).dns).toBeUndefined();
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
