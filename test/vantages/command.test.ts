import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type FlattenedJWS, flattenedVerify, importJWK } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { validatorsOf } from "../site/schemas.ts";
import { openPlaces, type Obstacle, type Places } from "../simulated-internet/places.ts";
import { calibrate } from "./calibrate.ts";
import { eventsNamed } from "../cli/cli.ts";
import {
  BETA_ABROAD,
  openWorkspace,
  type Workspace,
  type WorkspaceService,
} from "../cli/workspace.ts";

const ABROAD = ["fra", "hel"] as const;
const ASN = { fra: 24_940, hel: 51_167, ru2: 8_359, mobile: 31_133 } as const;
type Place = keyof typeof ASN;

let places: Places;
beforeAll(async () => {
  places = await openPlaces(["moscow", ...ABROAD, "ru2", "mobile"]);
});
afterAll(() => places.close());

interface Installation {
  readonly one: Workspace;
  /** Each vantage answers the newest ask. */
  readonly answer: (ids?: readonly Place[]) => Promise<void>;
  /** A run that hears the vantages. */
  readonly run: () => ReturnType<Workspace["run"]>;
  readonly obstruct: (
    at: readonly string[],
    host: string,
    what: Obstacle | undefined,
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

const COUNTRIES = { fra: "DE", hel: "FI", ru2: "RU", mobile: "RU" } as const;
const KINDS = { fra: "control", hel: "control", ru2: "moscow", mobile: "mobile" } as const;
/** Of the anchors of a place, those that are on no list of a state. */
const UNLISTED: readonly string[] = ["f2", "f3"];

async function install(
  ids: readonly Place[] = ABROAD,
  services: readonly WorkspaceService[] = BETA_ABROAD,
): Promise<Installation> {
  const one = await openWorkspace(places.at("moscow"), services, true);
  const vantages: string[] = [];
  for (const id of ids) {
    const made = await one.cli(["vantage", "keygen", "--key", `${id}.jwk`]);
    vantages.push(
      `  - { id: ${id}, kind: ${KINDS[id]}, country: ${COUNTRIES[id]}, asn: ${ASN[id]}, network: Net ${id}, ${made.stdout.trim()} }`,
    );
  }
  await writeFile(join(one.folder, "vantages.yaml"), `vantages:\n${vantages.join("\n")}\n`);
  const answerAt = async (id: Place): Promise<void> => {
    const hosts = `${id}-hosts.txt`;
    const lines = places.connectToLines(id, one.hosts.map(one.host));
    await writeFile(join(one.folder, hosts), lines.join("\n"));
    const anchors = ["f1", "f2", "f3"].flatMap((name) => {
      const isUnlisted = KINDS[id] === "mobile" && UNLISTED.includes(name);
      const key = isUnlisted ? "unlistedAnchor" : "anchor";
      return ["--set", `${key}=https://${one.host(name)}/`];
    });
    const store = ["--ask", "file:exchange", "--id", id, "--key", `${id}.jwk`];
    const network = ["--connect-to", `@${hosts}`, "--allow-private", "127.0.0.0/8", ...anchors];
    const answered = await one.cli(["vantage", ...store, ...network]);
    expect(answered, answered.stderr).toMatchObject({ code: 0 });
  };
  return {
    one,
    answer: async (wanted = ids) => {
      for (const id of wanted) await answerAt(id);
    },
    run: () => one.run(["--set", "exchange=file:exchange"]),
    obstruct: async (at, host, what) => {
      places.obstruct(at, one.host(host), what);
      // The rules of the runner depend on obstacles below TLS.
      const lines = places.connectToLines("moscow", one.hosts.map(one.host));
      await writeFile(join(one.folder, "hosts.txt"), lines.join("\n"));
    },
    close: one.close,
  };
}

/** The public evidence of the claim: it conforms to the OpenAPI document, and the signatures of the controls are valid. */
async function expectEvidence(one: Workspace): Promise<void> {
  const validatorOf = validatorsOf(JSON.parse(await readPublic(one, "openapi.json")));
  const read = async <T>(path: string, schema: string): Promise<T> => {
    const content: unknown = JSON.parse(await readPublic(one, `evidence/v1/${path}`));
    const validate = validatorOf(schema);
    expect(validate(content), JSON.stringify(validate.errors)).toBe(true);
    // The schema has just been checked.
    return content as T;
  };
  expect(await read("beta.json", "Evidence")).toMatchObject({
    slug: "beta",
    verdict: "restricted_fail",
    scope: "russia",
    blockedBy: "experiment",
    endpoints: [
      {
        row: 7,
        moscow: { result: "failed", code: "tls-reset" },
        experiment: { cutBy: "name" },
        vantages: [
          { id: "fra", result: "ok", sameAddress: "works" },
          { id: "hel", result: "ok", sameAddress: "works" },
        ],
      },
    ],
  });
  const { vantages } = await read<{
    readonly vantages: readonly { readonly id: string; readonly publicKey: string }[];
  }>("vantages.json", "Vantages");
  expect(vantages.map(({ id }) => id)).toEqual(ABROAD);
  for (const { id, publicKey } of vantages) {
    const { jws, urls } = await read<{
      readonly jws: FlattenedJWS;
      readonly urls: readonly string[];
    }>(`raw/${id}.json`, "RawEvidence");
    const key = await importJWK({ kty: "OKP", crv: "Ed25519", x: publicKey }, "EdDSA");
    const { payload } = await flattenedVerify(jws, key);
    const signed = JSON.parse(gunzipSync(payload).toString());
    expect(signed).toMatchObject({ vantage: id, connectivity: "fine" });
    expect(signed.results).toHaveLength(urls.length);
  }
  const page = await readPublic(one, "status/beta.html");
  expect(page).toContain(
    "За границей открывается (Германия, Финляндия), а из Москвы тот же сервер отвечает, только",
  );
  const explained = await one.cli(["explain", "beta", "--catalogue", "catalogue.json"]);
  expect(explained.stdout).toContain("blocking is claimed of");
  expect(explained.stdout).toContain("fra (control, DE, AS24940 Net fra): ok");
}

function readPublic(one: Workspace, path: string): Promise<string> {
  return readFile(join(one.folder, "public", path), "utf8");
}

test("a name that is cut in Moscow, and works abroad, is blocked", async () => {
  const { one, run, answer, obstruct, close } = await install();
  expect(await run()).toMatchObject({ code: 0 });
  await answer();
  await obstruct(["moscow"], "beta", "cut-by-name");
  await run();
  // The answers that are known are older than the failure.
  expect((await one.codes())["beta"]).toBe("fail");
  await answer();
  const second = await run();
  expect(eventsNamed(second.stderr, "vantages-heard").at(-1)).toMatchObject({
    heard: ["fra", "hel"],
    silent: [],
  });
  expect((await one.codes())["beta"]).toBe("restricted_fail");
  await expectEvidence(one);
  // One silent vantage does not end the claim, and neither does an experiment without a result.
  await run();
  await run();
  expect((await one.codes())["beta"]).toBe("restricted_fail");
  await obstruct(["moscow"], "beta", undefined);
  await run();
  expect(await one.codes()).toMatchObject({ alpha: "ok", beta: "ok", gamma: "ok" });
  await close();
});

test.each<[string, readonly Place[], (installation: Installation) => Promise<void>]>([
  ["one control alone", ["fra"], ({ obstruct }) => obstruct(["moscow"], "beta", "cut-by-name")],
  [
    "an expired certificate",
    ABROAD,
    async ({ one }) => {
      await one.set("beta", { kind: "page", certificate: "expired" });
    },
  ],
  [
    "what fails for a control as well",
    ABROAD,
    async ({ obstruct }) => {
      await obstruct(["moscow", "fra"], "beta", "cut-by-name");
    },
  ],
])("%s does not make it blocked", async (_, ids, begin) => {
  const installation = await install(ids);
  const { one, run, answer, close } = installation;
  await run();
  await begin(installation);
  await run();
  await answer();
  await run();
  expect((await one.codes())["beta"]).toBe("fail");
  await close();
});

test("nothing is heard while the exchange is away, and the run goes on", async () => {
  const { one, run, close } = await install();
  await run();
  await rm(join(one.folder, "exchange"), { recursive: true });
  await writeFile(join(one.folder, "exchange"), "a file");
  const result = await run();
  expect(result).toMatchObject({ code: 0 });
  expect(eventsNamed(result.stderr, "exchange-failed").length).toBeGreaterThan(0);
  expect(await one.codes()).toMatchObject({ beta: "ok" });
  await close();
});

test("the exchange keeps two asks, and the answers to them", async () => {
  const { one, run, answer, close } = await install();
  for (let round = 0; round < 4; round += 1) {
    await run();
    await answer();
  }
  expect(await readdir(join(one.folder, "exchange/ask"))).toHaveLength(2);
  expect((await readdir(join(one.folder, "exchange/evidence/fra"))).length).toBeLessThanOrEqual(3);
  await close();
});

test("a second place in Moscow that disagrees makes it a matter of the network", async () => {
  const { one, run, answer, obstruct, close } = await install(["fra", "hel", "ru2"]);
  await run();
  await answer();
  await run();
  await calibrate(one.folder, ["ru2"]);
  await obstruct(["moscow"], "beta", "cut-by-name");
  await run();
  await answer();
  await run();
  expect((await one.codes())["beta"]).toBe("fail");
  await close();
});

test("a mobile network that lets only a list of sites pass says nothing about services", async () => {
  const { one, run, answer, obstruct, close } = await install(["fra", "mobile"]);
  await run();
  for (const host of [...UNLISTED, "beta"]) await obstruct(["mobile"], host, "fence");
  await answer();
  await run();
  expect(await one.codes()).toMatchObject({ alpha: "ok", beta: "ok" });
  const { vantages } = JSON.parse(await readPublic(one, "evidence/v1/vantages.json")) as {
    readonly vantages: readonly unknown[];
  };
  expect(vantages).toMatchObject([
    { id: "fra", whiteList: null },
    { id: "mobile", whiteList: true },
  ]);
  const evidence: unknown = JSON.parse(await readPublic(one, "evidence/v1/beta.json"));
  expect(evidence).toMatchObject({
    endpoints: [{ scope: "none", vantages: [{ id: "fra", says: "works" }] }],
  });
  expect(await readPublic(one, "index.html")).toContain("Net mobile");
  await close();
});

test("a vantage answers each ask once, and says so", async () => {
  const { one, run, answer, close } = await install();
  await run();
  await answer();
  const file = join(one.folder, "exchange/evidence/fra");
  const [name = ""] = await readdir(file);
  const before = await readFile(join(file, name));
  await answer();
  expect(await readFile(join(file, name))).toEqual(before);
  await close();
});

test("a refusal by the owner is no blocking; behind a fence failures say nothing", async () => {
  const denied = { status: 403, body: "not available in your region" };
  const services = [
    { slug: "alpha" },
    { slug: "beta", endpoints: [{ host: "beta", denied }] },
    { slug: "gamma", endpoints: [{ host: "gamma", refuses: ["abroad"] }] },
  ];
  const { one, run, answer, obstruct, close } = await install(ABROAD, services);
  await run();
  await obstruct(["moscow"], "beta", "refused-by-owner");
  await obstruct(ABROAD, "gamma", "fence");
  await run();
  await answer();
  await run();
  expect(await one.codes()).toEqual({ alpha: "ok", beta: "provider", gamma: "ok" });
  const read = async (slug: string) =>
    JSON.parse(await readPublic(one, `evidence/v1/${slug}.json`)) as unknown;
  expect(await read("beta")).toMatchObject({ blockedBy: null });
  expect(await read("gamma")).toMatchObject({
    scope: "none",
    endpoints: [
      {
        fence: true,
        refuses: ["abroad"],
        vantages: [
          { result: "tcp-refused", calibrated: false },
          { result: "tcp-refused", calibrated: false },
        ],
      },
    ],
  });
  await close();
});

test("settings that are wrong end with 2, and each is named", async () => {
  const { one, close } = await install();
  const refusedOf = async (args: readonly string[]): Promise<string> => {
    const { code, stderr } = await one.cli(args);
    expect(code, stderr).toBe(2);
    return stderr;
  };
  const options = [...one.options];
  expect(await refusedOf(["run", ...options])).toContain("as exchange");
  expect(await refusedOf(["run", ...options, "--set", "exchange=file:public/x"])).toContain(
    "overlap",
  );
  await writeFile(join(one.folder, "other.yaml"), "vantages:\n  - { id: A }\n");
  const broken = ["--set", "exchange=file:exchange", "--set", "vantages=other.yaml"];
  expect(await refusedOf(["run", ...options, ...broken])).toContain("other.yaml:2:");
  const missing = await refusedOf(["vantage"]);
  for (const option of ["--ask", "--id", "--key"])
    expect(missing).toContain(`${option} is missing`);
  expect(await refusedOf(["vantage", "keygen", "--key", "fra.jwk"])).toContain("exists already");
  await writeFile(join(one.folder, "bad.jwk"), "{}");
  const ask = ["--ask", "file:exchange", "--id", "fra"];
  expect(await refusedOf(["vantage", ...ask, "--key", "bad.jwk"])).toContain("not a private key");
  const anchor = ["--key", "fra.jwk", "--set", "anchor=ftp://x/"];
  expect(await refusedOf(["vantage", ...ask, ...anchor])).toContain("anchor ftp://x/");
  await close();
});

test("a vantage without an ask has nothing to do", async () => {
  const { one, close } = await install();
  const ask = ["--ask", "file:exchange", "--id", "fra", "--key", "fra.jwk"];
  const { code, stderr } = await one.cli(["vantage", ...ask]);
  expect(code).toBe(0);
  expect(eventsNamed(stderr, "nothing-asked")).toMatchObject([{ isAnswered: false }]);
  await close();
});

test.each([
  ["cut-by-address", "Other addresses of the same network answer.", "a cut by address"],
  ["cut-by-network", "Other addresses of the same network do not answer either.", "no neighbour"],
] as const)("%s is told, and claims nothing, for it is asymmetry alone", async (what, en, why) => {
  const { one, run, answer, obstruct, close } = await install();
  await run();
  await obstruct(["moscow"], "beta", what);
  await run();
  await answer();
  await run();
  expect((await one.codes())["beta"]).toBe("fail");
  expect(await readPublic(one, "en/status/beta.html")).toContain(en);
  const { stdout } = await one.cli(["explain", "beta", "--catalogue", "catalogue.json"]);
  expect(stdout).toMatch(/row 8, russia; works in 2 networks abroad, fails in 0; no claim/u);
  expect(stdout).toContain(why);
  await close();
});
