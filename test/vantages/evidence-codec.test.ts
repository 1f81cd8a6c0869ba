import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { exportJWK, generateKeyPair, type CryptoKey } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import type { Vantage, VantageEvidence, VantageResult } from "../../src/model/service/vantage.ts";
import { digestUrls } from "../../src/vantages/exchange.ts";
import {
  importPrivateKey,
  signEvidence,
  verifyEvidence,
} from "../../src/vantages/evidence-codec.ts";
import { T0 } from "../model/samples.ts";

const ASK = "0d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b11";
const OTHER_ASK = "7f9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b22";
const URLS = Array.from({ length: 256 }, (_, at) => `https://host-${at}.example/`);

let vantage: Vantage;
let ours: CryptoKey;
let theirs: CryptoKey;
beforeAll(async () => {
  const pair = await generateKeyPair("EdDSA", { crv: "Ed25519" });
  ours = pair.privateKey;
  theirs = (await generateKeyPair("EdDSA", { crv: "Ed25519" })).privateKey;
  const { x = "" } = await exportJWK(pair.publicKey);
  vantage = { id: "fra", kind: "control", country: "DE", asn: 1, network: "N", publicKey: x };
});

/** Addresses and times that pack badly. */
const RESULTS: readonly VantageResult[] = URLS.map((_, at): VantageResult => {
  const random = (at * 2_654_435_761) >>> 0;
  const address = [24, 16, 8, 0].map((shift) => (random >>> shift) & 255).join(".");
  return at % 40 === 39
    ? { code: "tcp-timeout", ms: 5_000 + (random % 100) }
    : { code: "ok", ms: 40 + (random % 1_000), address };
});

function evidenceOf(changes: Partial<VantageEvidence> = {}): VantageEvidence {
  return {
    vantage: "fra",
    askId: ASK,
    urls: digestUrls(URLS),
    atMs: T0,
    connectivity: "fine",
    isWhiteList: null,
    results: RESULTS,
    ...changes,
  };
}

const verify = (bytes: Uint8Array) =>
  verifyEvidence(bytes, { vantage, askId: ASK, urls: digestUrls(URLS), count: URLS.length });

const reasonOf = async (bytes: Uint8Array): Promise<string> => {
  const read = await verify(bytes);
  return read.kind === "refused" ? read.reason : "believed";
};

/** A protected header like ours, with changes. */
function headerText(changes: object): string {
  return JSON.stringify({ alg: "EdDSA", kid: "fra", cty: "application/gzip", ...changes });
}

const toBase64 = (text: string): string => Buffer.from(text).toString("base64url");

/** An answer whose texts were changed before they were signed. */
async function signedAs({
  header = (text: string) => text,
  payload = (text: string) => text,
  envelope = (text: string) => text,
}): Promise<Uint8Array> {
  const bytes = await signEvidence(evidenceOf(), ours);
  const jws: Record<string, string> = JSON.parse(gunzipSync(bytes).toString());
  const head = header(Buffer.from(jws["protected"] ?? "", "base64url").toString());
  const body = payload(gunzipSync(Buffer.from(jws["payload"] ?? "", "base64url")).toString());
  const input = `${toBase64(head)}.${gzipSync(body).toString("base64url")}`;
  const made = await crypto.subtle.sign("Ed25519", ours, Buffer.from(input));
  const [protectedHeader, packed] = input.split(".");
  const signature = Buffer.from(made).toString("base64url");
  return gzipSync(
    envelope(JSON.stringify({ payload: packed, signature, protected: protectedHeader })),
  );
}

/** The stored JWS, changed. */
async function altered(change: (jws: Record<string, string>) => object): Promise<Uint8Array> {
  const bytes = await signEvidence(evidenceOf(), ours);
  return gzipSync(JSON.stringify(change(JSON.parse(gunzipSync(bytes).toString()))));
}

test("what a vantage signs is read as it was, in 5 kB for 256 endpoints", async () => {
  const bytes = await signEvidence(evidenceOf(), ours);
  expect(await verify(bytes)).toMatchObject({ kind: "ok", evidence: evidenceOf() });
  expect(bytes.length).toBeLessThanOrEqual(5_000);
  expect(bytes.length).toBeGreaterThan(2_000);
});

test("what is signed in the same way elsewhere is read", async () => {
  expect(await verify(await signedAs({}))).toMatchObject({ kind: "ok", evidence: evidenceOf() });
});

test("the answer of a vantage of 0.1.0 is read, which says less of what it saw", async () => {
  const payload = (text: string): string => {
    const read = JSON.parse(text);
    const results = read.results.map((result: readonly unknown[]) => result.slice(0, 4));
    return JSON.stringify({ ...read, version: 1, results });
  };
  expect(await verify(await signedAs({ payload }))).toMatchObject({
    kind: "ok",
    evidence: evidenceOf({ results: RESULTS.map(({ seen: _seen, ...result }) => result) }),
  });
});

test("a clock that is a day off changes nothing", async () => {
  const bytes = await signEvidence(evidenceOf({ atMs: T0 - 86_400_000 }), ours);
  expect(await reasonOf(bytes)).toBe("believed");
});

describe("is refused:", () => {
  test.each<[string, Partial<VantageEvidence>, string]>([
    ["the answer to an earlier ask", { askId: OTHER_ASK }, "other-ask"],
    ["the answer of another vantage", { vantage: "hel" }, "other-vantage"],
    ["an answer about other endpoints", { urls: "x" }, "other-endpoints"],
    ["an answer that leaves some out", { results: RESULTS.slice(1) }, "other-endpoints"],
  ])("%s", async (_, changes, reason) => {
    expect(await reasonOf(await signEvidence(evidenceOf(changes), ours))).toBe(reason);
  });

  test("an answer that another key signed", async () => {
    expect(await reasonOf(await signEvidence(evidenceOf(), theirs))).toBe("bad-signature");
  });

  test.each<[string, (jws: Record<string, string>) => object, string]>([
    [
      "another payload",
      (jws) => ({ ...jws, payload: Buffer.from("{}").toString("base64url") }),
      "bad-signature",
    ],
    ["no signature", (jws) => ({ ...jws, signature: "" }), "bad-signature"],
    [
      "the algorithm none",
      (jws) => ({
        ...jws,
        protected: toBase64(headerText({ alg: "none" })),
        signature: "",
      }),
      "malformed",
    ],
    [
      "a signature with a shared secret",
      (jws) => ({ ...jws, protected: toBase64(headerText({ alg: "HS256" })) }),
      "malformed",
    ],
    ["a field too many", (jws) => ({ ...jws, header: "x" }), "malformed"],
    ["a field too few", ({ payload, signature }) => ({ payload, signature }), "malformed"],
  ])("%s", async (_, change, reason) => {
    expect(await reasonOf(await altered(change))).toBe(reason);
  });

  test.each<[string, () => Uint8Array, string]>([
    ["nothing", () => new Uint8Array(), "malformed"],
    ["what is not packed", () => Buffer.from("{}"), "malformed"],
    ["a bomb", () => gzipSync(Buffer.alloc(50_000_000)), "malformed"],
    ["more than 256 KiB", () => new Uint8Array(256 * 1024 + 1), "too-large"],
    ["a list", () => gzipSync("[]"), "malformed"],
    [
      "a list in 100,000 lists",
      () => gzipSync("[".repeat(100_000) + "]".repeat(100_000)),
      "malformed",
    ],
  ])("%s", async (_, make, reason) => {
    expect(await reasonOf(make())).toBe(reason);
  });

  /** Adds a member after the opening brace of an object. */
  const doubled = (member: string) => (text: string) => text.replace("{", `{${member},`);

  test.each<[string, Parameters<typeof signedAs>[0], string]>([
    [
      "another vantage's name in front of its own",
      { payload: doubled('"vantage":"hel"') },
      "malformed",
    ],
    ["a doubled key in the header", { header: doubled('"kid":"hel"') }, "malformed"],
    ["a doubled key in the envelope", { envelope: doubled('"signature":"x"') }, "malformed"],
    [
      "a number in another writing",
      { payload: (text) => text.replace(/"atMs":\d+/u, "$&.0") },
      "malformed",
    ],
    ["blanks", { payload: (text) => ` ${text}` }, "malformed"],
    [
      "another vantage in the header",
      { header: () => headerText({ kid: "hel" }) },
      "other-vantage",
    ],
    ["no vantage in the header", { header: () => headerText({ kid: undefined }) }, "malformed"],
    [
      "another type of content",
      { header: () => headerText({ cty: "application/json" }) },
      "malformed",
    ],
    ["an extension", { header: () => headerText({ crit: ["b64"], b64: true }) }, "malformed"],
    ["an extension that is not critical", { header: () => headerText({ b64: true }) }, "malformed"],
  ])("%s, although it is signed", async (_, changes, reason) => {
    expect(await reasonOf(await signedAs(changes))).toBe(reason);
  });

  test("whatever else it is, without an exception", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((json) => gzipSync(json)),
        ),
        async (bytes) => {
          expect((await verify(bytes)).kind).toBe("refused");
        },
      ),
    );
  });
});

test.each([{}, { kty: "OKP", crv: "X25519", d: "AA", x: "AA" }, { kty: "oct", k: "AA" }])(
  "%j is no private key",
  async (jwk) => {
    await expect(importPrivateKey(jwk)).rejects.toThrow("not a private key for Ed25519");
  },
);
