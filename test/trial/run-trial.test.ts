import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { parse } from "yaml";
import {
  buildReport,
  decodeAnswers,
  encodeAnswers,
  judgeAgain,
  OVERLAY_HEAD,
  proposeAll,
  recordAnswers,
  writeOverlay,
} from "../../src/trial/run-trial.ts";
import { catalogueOf, traceOf } from "../model/samples.ts";
import {
  DEPS,
  FINE,
  got,
  gotNothing,
  gotWrong,
  shop,
  shopEndpoint,
  SKIPPED,
  URL_OF_SHOP,
} from "./recorded.ts";

const OTHER_URL = "https://other.example/";
const DEAD = gotNothing("dns-nxdomain");

test("answers come back from their file, and nothing else does", () => {
  const answers = new Map([[URL_OF_SHOP, [FINE, gotNothing("tcp-timeout"), SKIPPED]]]);
  expect(decodeAnswers(encodeAnswers(answers))).toEqual(answers);
  const wrong = { format: "status-snapshot/answer", answers: [] };
  for (const bytes of [Buffer.from("x"), gzipSync("{}"), gzipSync(JSON.stringify(wrong))])
    expect(() => decodeAnswers(bytes)).toThrow(
      new RangeError("not a file that `catalogue trial --answers` has written."),
    );
});

test("kept answers are judged by the catalogue as it is now", async () => {
  const [named, unknown] = [shopEndpoint({ body: "Базар" }), shopEndpoint({ url: OTHER_URL })];
  const catalogue = catalogueOf([shop([named, unknown])]);
  const elsewhere = { ...FINE, hops: FINE.hops.map((hop) => ({ ...hop, url: OTHER_URL })) };
  const judged = await judgeAgain(catalogue, new Map([[URL_OF_SHOP, [FINE, elsewhere]]]), DEPS);
  expect([...judged.keys()]).toEqual([URL_OF_SHOP, OTHER_URL]);
  expect(judged.get(URL_OF_SHOP)?.map(({ outcome }) => outcome)).toMatchObject([
    { kind: "failed", code: "body-unexpected" },
    { kind: "ok" },
  ]);
  expect(judged.get(OTHER_URL)).toEqual([]);
});

test("every endpoint is probed once a round, and what the end breaks off is not kept", async () => {
  const catalogue = catalogueOf([shop([shopEndpoint(), shopEndpoint({ url: OTHER_URL })])]);
  const stop = new AbortController();
  const [rounds, pauses]: [number[], number[]] = [[], []];
  const resolve = () => {
    if (rounds.length === 2) stop.abort("aborted");
    return Promise.resolve({ kind: "failed", code: "dns-nxdomain" } as const);
  };
  const answers = await recordAnswers(
    catalogue,
    { ...DEPS, resolve },
    {
      rounds: 3,
      pauseMs: 500,
      concurrency: 4,
      perHost: 2,
      signal: stop.signal,
      sleep: async (ms) => void pauses.push(ms),
      onRound: (round) => void rounds.push(round),
    },
  );
  expect([rounds, pauses]).toEqual([[1, 2], [500]]);
  const kinds = [...answers.values()].map((all) => all.map(({ outcome }) => outcome.kind));
  expect(kinds).toEqual([["failed"], ["failed"]]);
});

test("a service is never left without endpoints", async () => {
  const [a, b] = [
    shopEndpoint({ isCritical: false }),
    shopEndpoint({ url: OTHER_URL, isCritical: false }),
  ];
  const catalogue = catalogueOf([shop([a, b])]);
  const both = new Map([
    [URL_OF_SHOP, [DEAD]],
    [OTHER_URL, [DEAD]],
  ]);
  expect([...(await proposeAll(catalogue, both, DEPS)).keys()]).toEqual([]);
  const one = new Map([
    [URL_OF_SHOP, [DEAD]],
    [OTHER_URL, []],
  ]);
  expect([...(await proposeAll(catalogue, one, DEPS)).keys()]).toEqual([URL_OF_SHOP]);
});

test("an overlay has all endpoints of each service that changes, as they are written", async () => {
  const changed = shopEndpoint();
  const kept = shopEndpoint({
    url: OTHER_URL,
    isCritical: false,
    trust: "national",
    sites: ["other.example", "shop.example"],
    expect: [200],
  });
  const catalogue = catalogueOf([
    shop([changed, kept]),
    shop([shopEndpoint({ url: "https://c.example/" })], { slug: "c" }),
  ]);
  const proposals = await proposeAll(catalogue, new Map([[URL_OF_SHOP, [FINE]]]), DEPS);
  const text = writeOverlay(catalogue, proposals);
  expect(text.startsWith(OVERLAY_HEAD)).toBe(true);
  // By this line an overlay of an earlier version is known as one of a trial.
  expect(OVERLAY_HEAD).toBe(
    "# Proposed by `status-snapshot catalogue trial`, each line judged by recorded answers.\n",
  );
  expect(parse(text)).toEqual({
    services: [
      {
        slug: "shop",
        endpoints: [
          { url: URL_OF_SHOP, what: "main site", body: "Лавка", critical: true },
          {
            url: OTHER_URL,
            what: "main site",
            expect: [200],
            trust: "national",
            leadsTo: ["shop.example"],
          },
        ],
      },
    ],
  });
  const { sites: _, ...anywhere } = kept;
  const free = catalogueOf([shop([changed, anywhere])]);
  expect(parse(writeOverlay(free, proposals)).services[0].endpoints[1]).toEqual({
    url: OTHER_URL,
    what: "main site",
    expect: [200],
    trust: "national",
  });
  const taken = new Map([[URL_OF_SHOP, { endpoint: null, lines: [] }]]);
  expect(parse(writeOverlay(catalogue, taken)).services[0].endpoints).toHaveLength(1);
});

test("a report names services abroad of which no answer is large enough for a freeze", () => {
  const [page, cdn] = [shopEndpoint(), shopEndpoint({ url: OTHER_URL, isCritical: false })];
  const services = ["large", "small", "silent"].map((slug) =>
    shop(
      [page, cdn].map((one) => ({ ...one, url: `${one.url}${slug}` })),
      { slug, isAbroad: true },
    ),
  );
  const sent = (bodyBytes: number) => ({
    ...FINE,
    outcome: { kind: "ok" as const, trace: traceOf(100, { bodyBytes }) },
  });
  const answers = new Map([
    [`${URL_OF_SHOP}large`, [sent(900), SKIPPED]],
    [`${OTHER_URL}large`, [gotNothing("tcp-timeout"), sent(65_536)]],
    [`${URL_OF_SHOP}small`, [sent(900), sent(40_000)]],
    [`${OTHER_URL}small`, [sent(700)]],
    [`${URL_OF_SHOP}silent`, [gotNothing("tcp-timeout")]],
  ]);
  const report = (isAbroad: boolean) =>
    buildReport(catalogueOf(services.map((one) => ({ ...one, isAbroad }))), answers, new Map());
  expect(report(true).small).toEqual([
    { slug: "small", url: `${URL_OF_SHOP}small`, bytes: 40_000 },
  ]);
  expect(report(false).small).toEqual([]);
});

test("a report has what each endpoint expects, and what came", () => {
  const expected = [
    [{}, "any answer below 500"],
    [{ expect: [200, 204] }, "status 200 or 204"],
    [{ body: "Лавка", location: "/x" }, 'the text "Лавка", a redirect to /x'],
    [{ redirects: "answer" as const }, "any redirect within shop.example"],
  ] as const;
  const endpoints = expected.map(([changes], at) =>
    shopEndpoint({ url: `${URL_OF_SHOP}${at}`, ...changes }),
  );
  const wrong = gotWrong("<title>Базар</title>", "body-unexpected");
  const answers = new Map([
    [`${URL_OF_SHOP}0`, [got("<title>Лавка</title>"), wrong, SKIPPED]],
    [`${URL_OF_SHOP}1`, [SKIPPED]],
  ]);
  const proposals = new Map([[`${URL_OF_SHOP}0`, { endpoint: null, lines: ["# taken out"] }]]);
  const catalogue = catalogueOf([shop(endpoints), shop([shopEndpoint()], { slug: "silent" })]);
  const { rows, unreached, changed } = buildReport(catalogue, answers, proposals);
  expect(rows.map(({ expects }) => expects).slice(0, 4)).toEqual(expected.map(([, text]) => text));
  expect(rows[0]).toEqual({
    slug: "shop",
    url: `${URL_OF_SHOP}0`,
    what: "main site",
    isCritical: true,
    kinds: ["page", "other", "not-tried"],
    outcomes: [got("").outcome, wrong.outcome, SKIPPED.outcome],
    title: "Базар",
    begins: "Базар",
    expects: "any answer below 500",
    proposal: ["# taken out"],
  });
  expect(rows[1]).toMatchObject({ kinds: ["not-tried"], title: "", begins: "", proposal: [] });
  expect(rows[2]).toMatchObject({ kinds: [], outcomes: [], title: "", begins: "" });
  expect([unreached, changed]).toEqual([["silent"], 1]);
});
