import { describe, expect, test } from "vitest";
import { isReached, propose, sortAnswer, wordsOf } from "../../src/trial/propose.ts";
import type { RecordedProbe } from "../../src/trial/record-answers.ts";
import type { Endpoint, Service } from "../../src/model/service/catalogue.ts";
import { traceOf } from "../model/samples.ts";
import {
  DEPS,
  FINE,
  got,
  gotNothing,
  gotWrong,
  hopOf,
  shop,
  shopEndpoint,
  SKIPPED,
} from "./recorded.ts";

/** The lines that are proposed for the shop; undefined: none. */
async function linesFor(
  attempts: readonly RecordedProbe[],
  changes: Partial<Endpoint> = {},
  ofService: Partial<Service> = {},
  others: readonly Endpoint[] = [],
): Promise<readonly string[] | undefined> {
  const endpoint = shopEndpoint(changes);
  const service = shop([endpoint, ...others], ofService);
  return (await propose(service, endpoint, attempts, DEPS))?.lines;
}

const SILENT = gotNothing("tcp-timeout");
const DEAD = gotNothing("dns-nxdomain");
const LOOP = gotWrong("", "redirect-loop", 302);

describe("silence", () => {
  test("in all rounds may be a refusal of data centres", async () => {
    expect(await linesFor([SILENT, SILENT])).toEqual(["refuses: [hosting]"]);
    expect(await linesFor([SILENT], { refuses: ["abroad"] })).toEqual([
      "refuses: [hosting, abroad]",
    ]);
  });

  test("in some rounds, of a service abroad, or of an owner who refuses proves nothing", async () => {
    expect(await linesFor([SILENT, FINE])).toBeUndefined();
    expect(await linesFor([SILENT], {}, { isAbroad: true })).toBeUndefined();
    expect(await linesFor([SILENT], { refuses: ["hosting"] })).toBeUndefined();
  });
});

describe("a name without a server", () => {
  const other = shopEndpoint({ url: "https://other.example/" });

  test("is taken out beside another critical endpoint", async () => {
    expect(await linesFor([DEAD, DEAD], {}, {}, [other])).toEqual(["# taken out"]);
    expect(await linesFor([DEAD], { isCritical: false })).toEqual(["# taken out"]);
  });

  test("is taken out as well if its page is that of a registrar", async () => {
    const parked = gotWrong("Домен припаркован", "body-unexpected");
    expect(await linesFor([parked, parked], { body: "Лавка" }, {}, [other])).toEqual([
      "# taken out",
    ]);
    expect(await linesFor([parked, FINE], { body: "Лавка" }, {}, [other])).toBeUndefined();
  });

  test("stays as the last critical endpoint, or if it answered once", async () => {
    expect(await linesFor([DEAD])).toBeUndefined();
    expect(await linesFor([DEAD], {}, {}, [{ ...other, isCritical: false }])).toBeUndefined();
    expect(await linesFor([DEAD, FINE], {}, {}, [other])).toBeUndefined();
  });
});

describe("a redirect without an end", () => {
  test("is an answer if each round had it", async () => {
    const loop: RecordedProbe = { ...LOOP, hops: [hopOf("", 302, { location: "/" })] };
    expect(await linesFor([loop, loop])).toEqual(["redirects: answer"]);
    expect(await linesFor([loop, FINE])).toBeUndefined();
    const many: RecordedProbe = { ...loop, outcome: gotWrong("", "redirect-too-many").outcome };
    expect(await linesFor([many])).toEqual(["redirects: answer"]);
  });
});

describe("a status that was not expected", () => {
  const wrong = (status: number) => gotWrong("ok", "http-unexpected-status", status);

  test("is added to those expected, up to 399", async () => {
    expect(await linesFor([wrong(204)], { expect: [200] })).toEqual(["expect: [200, 204]"]);
    expect(await linesFor([wrong(204)], { expect: [201, 202] })).toEqual([
      "expect: [201, 202, 204]",
    ]);
    expect(await linesFor([wrong(399)], { expect: [200] })).toEqual(["expect: [200, 399]"]);
    expect(await linesFor([wrong(400)], { expect: [200] })).toBeUndefined();
  });

  test("that differs between the rounds is left", async () => {
    expect(await linesFor([wrong(204), wrong(206)], { expect: [200] })).toBeUndefined();
  });
});

describe("a page that says too little", () => {
  const page = (text: string) => got(`<title>${text}</title>`);

  test("is known by the longest name of the service that all rounds have", async () => {
    expect(await linesFor([page("Лавка чудес"), page("Лавка")])).toEqual(['body: "Лавка"']);
    const named = { nameEn: "Shop of wonders", aliases: ["лавочка"] };
    expect(await linesFor([page("Shop of wonders, лавочка")], {}, named)).toEqual([
      'body: "Shop of wonders"',
    ]);
    expect(await linesFor([page("the wonders of shops")], {}, named)).toEqual(['body: "wonders"']);
  });

  test("is not known by two letters", async () => {
    const steady = ["expect: [200]"];
    expect(await linesFor([page("VK")], {}, { name: "VK", slug: "vkontakte" })).toEqual(steady);
    expect(await linesFor([page("VKX")], {}, { name: "VKX" })).toEqual(['body: "VKX"']);
    expect(await linesFor([page("Лавка"), page("another")])).toEqual(steady);
  });

  test.each([200, 204, 400, 401, 404, 421, 422])("has a steady status %i", async (status) => {
    const expected = status === 401 ? undefined : [`expect: [${status}]`];
    expect(await linesFor([got("{}", status)])).toEqual(expected);
  });

  test.each([201, 206, 402, 410])("has a status %i that is not steady", async (status) => {
    expect(await linesFor([got("{}", status)])).toBeUndefined();
  });

  test("is left if its entry says what to expect, or it is not critical", async () => {
    for (const changes of [
      { isCritical: false },
      { body: "Лавка" },
      { expect: [200] },
      { location: "/x" },
      { redirects: "answer" as const },
    ])
      expect(await linesFor([page("Лавка")], changes)).toBeUndefined();
  });

  test("without the expected text gets another, or the status", async () => {
    const wrong = gotWrong("<title>Лавка</title>", "body-unexpected");
    expect(await linesFor([wrong], { body: "Магазин" })).toEqual(['body: "Лавка"']);
    const bare = gotWrong("ok", "body-unexpected");
    expect(await linesFor([bare, wrong], { body: "Магазин" })).toBeUndefined();
  });

  test("of rounds without an answer proves nothing", async () => {
    expect(await linesFor([SKIPPED])).toBeUndefined();
    expect(await linesFor([page("Лавка"), SILENT])).toBeUndefined();
  });
});

describe("what answered", () => {
  const okWith = (changes: object): RecordedProbe => ({
    outcome: { kind: "ok", trace: traceOf(9, changes) },
    hops: [],
  });

  test.each<readonly [string, RecordedProbe]>([
    ["not-tried", SKIPPED],
    ["refused", { outcome: { kind: "denied", trace: traceOf(9) }, hops: [] }],
    ["wall", okWith({ wall: "ddos-guard", httpStatus: 403 })],
    ["refused", okWith({ httpStatus: 403 })],
    ["refused", okWith({ httpStatus: 429 })],
    ["page", okWith({ httpStatus: 404 })],
    ["page", okWith({ httpStatus: 200 })],
    ["silent", SILENT],
    ["dead-name", DEAD],
    ["dead-name", gotNothing("dns-no-answer")],
    ["moved", gotWrong("", "redirect-unexpected")],
    ["certificate", gotNothing("cert-expired")],
    ["error", gotWrong("", "http-server-error", 500)],
    ["error", gotWrong("", "body-works")],
    ["refused", gotWrong("", "http-legal-refusal", 451)],
    ["other", gotWrong("<title>Лавка</title>", "body-unexpected")],
    ["other", gotNothing("http-malformed")],
    ["parked", gotWrong("<p>Домен припаркован</p>", "body-unexpected")],
  ])("is sorted as %s", (kind, attempt) => {
    expect(sortAnswer(attempt)).toBe(kind);
  });

  test("is told by its title and its first words, without scripts and tricks", () => {
    const page =
      "<html><title lang=ru>Лавка\u001B[2J\n чудес</title><script>x()</script><p>Добро <b>пожаловать</b></p>";
    expect(wordsOf(got(page))).toEqual({
      title: "Лавка [2J чудес",
      begins: "Лавка [2J чудес Добро пожаловать",
    });
    const long = wordsOf(got(`<title>${"a".repeat(201)}</title>${"b".repeat(300)}`));
    expect([long.title, long.begins]).toEqual(["a".repeat(200), "a".repeat(200)]);
    expect(wordsOf(SKIPPED)).toEqual({ title: "", begins: "" });
    expect(wordsOf(SILENT)).toEqual({ title: "", begins: "" });
  });
});

test("a service is reached by a page, a refusal or an error of a critical endpoint", () => {
  const service = shop([
    shopEndpoint(),
    shopEndpoint({ url: "https://b.example/", isCritical: false }),
  ]);
  const reached = (own: string, other: string): boolean =>
    isReached(service, (url) => (url.includes("shop") ? [own] : [other]) as never);
  expect(["page", "refused", "error"].map((kind) => reached(kind, "silent"))).toEqual([
    true,
    true,
    true,
  ]);
  expect(["wall", "parked", "moved"].map((kind) => reached(kind, "page"))).toEqual([
    false,
    false,
    false,
  ]);
});
