import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { requestAnonymously } from "../../src/store/anonymous-access.ts";
import { readText, toObject } from "./contract.ts";
import { openBucketAt, useKeys } from "./s3-server.ts";

useKeys();

interface Answer {
  readonly status?: number;
  /** Of an error. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Asked {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
}

/** A store whose server gives one answer after another, the last one again and again. */
async function openScripted(
  answers: readonly Answer[],
  options: Parameters<typeof openBucketAt>[1] = {},
) {
  const asked: Asked[] = [];
  const waitsMs: number[] = [];
  const { store, endpoint, location } = await openBucketAt(
    (request, response) => {
      const {
        status = 200,
        code,
        headers = {},
        body = "",
      } = answers[asked.length] ?? answers.at(-1) ?? {};
      asked.push({
        line: `${request.method} ${request.url?.split("?")[0]}`,
        headers: request.headers,
      });
      request.resume();
      const error = code === undefined ? body : `<Error><Code>${code}</Code></Error>`;
      response.sendDate = false;
      response.writeHead(status, { etag: '"tag"', ...headers });
      response.end(error);
    },
    { random: () => 0.5, sleep: async (ms) => void waitsMs.push(ms), ...options },
  );
  return { store, endpoint, location, asked, waitsMs };
}

const BUSY = { status: 503, code: "SlowDown" };
const BROKEN = { status: 500, code: "InternalError" };
const UNMET = { status: 412, code: "PreconditionFailed" };
const MISSIGNED = { status: 403, code: "SignatureDoesNotMatch" };
const GONE = { status: 404, code: "NoSuchKey" };

describe("a retry", () => {
  test("waits for half of a bound that doubles from 200 ms to 2 s, if chance says half", async () => {
    const { store, waitsMs, asked } = await openScripted([BUSY, BUSY, BUSY, BUSY, BUSY, BUSY, {}]);
    await store.read("a.txt");
    expect(asked).toHaveLength(7);
    expect(waitsMs).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  test("of a conditional write is not made after a failure that may have written", async () => {
    const { store, asked } = await openScripted([BROKEN]);
    const write = store.write("a.txt", toObject("x"), { kind: "absent" });
    await expect(write).rejects.toMatchObject({ isUnknown: true });
    expect(asked).toHaveLength(1);
  });

  test("of a write without a condition is made", async () => {
    const { store, asked } = await openScripted([BROKEN, {}]);
    expect(await store.write("a.txt", toObject("x"))).toEqual({ kind: "written", etag: "tag" });
    expect(asked).toHaveLength(2);
  });

  test("is not made of a refusal, nor once the patience is over", async () => {
    const refused = await openScripted([{ status: 403, code: "AccessDenied" }]);
    await expect(refused.store.read("a.txt")).rejects.toThrow("AccessDenied");
    expect(refused.asked).toHaveLength(1);
    const limits = { connectMs: 1_000, requestMs: 1_000, patienceMs: -1 };
    const late = await openScripted([BUSY], { limits });
    await expect(late.store.read("a.txt")).rejects.toThrow("SlowDown");
    expect(late.asked).toHaveLength(1);
  });
});

describe("the headers of a write", () => {
  test("say what the object is, and under which condition it is written", async () => {
    const { store, asked } = await openScripted([{}]);
    await store.write("a.txt", toObject("x"));
    await store.write("a.txt", toObject("x"), { kind: "absent" });
    await store.write("a.txt", toObject("x"), { kind: "unchanged", etag: "abc" });
    const headers = asked.map(({ headers }) => [
      headers["content-type"],
      headers["cache-control"],
      headers["if-none-match"],
      headers["if-match"],
    ]);
    const ofObject = ["application/json; charset=utf-8", "max-age=60"];
    expect(headers).toEqual([
      [...ofObject, undefined, undefined],
      [...ofObject, "*", undefined],
      [...ofObject, undefined, '"abc"'],
    ]);
  });

  test("carry no checksum, which some stores refuse", async () => {
    const { store, asked } = await openScripted([{}]);
    await store.write("a.txt", toObject("x"));
    expect(Object.keys(asked[0]?.headers ?? {}).filter((name) => name.includes("crc"))).toEqual([]);
  });

  test("are signed for the region of the URL, and without one for us-east-1", async () => {
    const plain = await openScripted([{}]);
    await plain.store.write("a.txt", toObject("x"));
    expect(plain.asked[0]?.headers.authorization).toContain("/us-east-1/s3/");
    const named = await openScripted([{}], { query: "&region=ru-central1" });
    await named.store.write("a.txt", toObject("x"));
    expect(named.asked[0]?.headers.authorization).toContain("/ru-central1/s3/");
  });
});

describe("a store that compares the bare tag", () => {
  const OVER_TAG = { kind: "unchanged", etag: "tag" } as const;
  const tagsOf = (asked: readonly Asked[]) => asked.map(({ headers }) => headers["if-match"]);

  test("is found out by the first write that is refused over the tag that is there", async () => {
    const { store, asked } = await openScripted([UNMET, {}]);
    expect(store.etagStyle()).toBe("quoted");
    expect(await store.write("a.txt", toObject("x"), OVER_TAG)).toMatchObject({ kind: "written" });
    await store.write("a.txt", toObject("x"), OVER_TAG);
    expect(asked.map(({ line }) => line.split(" ")[0])).toEqual(["PUT", "HEAD", "PUT", "PUT"]);
    expect(tagsOf(asked)).toEqual(['"tag"', undefined, "tag", "tag"]);
    expect(store.etagStyle()).toBe("unquoted");
  });

  test("is not suspected where the object has another tag", async () => {
    const { store, asked } = await openScripted([UNMET, { headers: { etag: '"newer"' } }]);
    expect(await store.write("a.txt", toObject("x"), OVER_TAG)).toEqual({ kind: "conflict" });
    expect(asked).toHaveLength(2);
    expect(store.etagStyle()).toBe("quoted");
  });

  test("is not suspected of a refused creation, nor where the URL names the style", async () => {
    const created = await openScripted([UNMET]);
    expect(await created.store.write("a.txt", toObject("x"), { kind: "absent" })).toEqual({
      kind: "conflict",
    });
    expect(created.asked).toHaveLength(1);
    for (const [style, tag] of [
      ["quoted", '"tag"'],
      ["unquoted", "tag"],
    ] as const) {
      const { store, asked } = await openScripted([UNMET], { query: `&etag=${style}` });
      expect(store.etagStyle()).toBe(style);
      expect(await store.write("a.txt", toObject("x"), OVER_TAG)).toEqual({ kind: "conflict" });
      expect(tagsOf(asked)).toEqual([tag]);
    }
  });

  test("writes that were refused at the same time are all made again", async () => {
    const { store, asked } = await openScripted([UNMET, UNMET, {}]);
    const ends = await Promise.all(
      ["a.txt", "b.txt"].map((key) => store.write(key, toObject("x"), OVER_TAG)),
    );
    expect(ends.map(({ kind }) => kind)).toEqual(["written", "written"]);
    expect(tagsOf(asked).filter((tag) => tag === "tag")).toHaveLength(2);
  });
});

describe("a wrong signature", () => {
  test("is the fault of the secret key if the store refuses a plain request, too", async () => {
    const { store, asked } = await openScripted([MISSIGNED]);
    await expect(store.read("a.txt")).rejects.toThrow("the secret key is wrong");
    expect(asked.map(({ line }) => line)).toEqual(["GET /bucket/a.txt", "HEAD /bucket/a.txt"]);
  });

  test.each([
    ["finds nothing", GONE],
    ["finds the object", {}],
  ])("is the fault of the store if a plain request %s", async (_, plain) => {
    const { store } = await openScripted([MISSIGNED, plain]);
    await expect(store.read("a.txt")).rejects.toThrow("the secret key is right");
  });

  test.each([
    ["was answered", {}],
    ["found nothing", GONE],
    ["lost", UNMET],
  ])("is the fault of the store if an earlier request %s", async (_, earlier) => {
    const { store, asked } = await openScripted([earlier, MISSIGNED]);
    await store.write("a.txt", toObject("x"), { kind: "absent" }).catch(() => undefined);
    if (earlier === GONE) await store.read("a.txt").catch(() => undefined);
    await expect(store.read("a.txt")).rejects.toThrow(/secret key is/u);
    expect(asked.length).toBeGreaterThan(1);
  });
});

describe("an object of a bucket", () => {
  test("is absent where the store says so, and its tag is bare", async () => {
    const { store } = await openScripted([GONE, { body: "text" }, { status: 404 }, {}]);
    expect(await store.read("a.txt")).toBeUndefined();
    const found = await store.read("a.txt");
    expect(Buffer.from(found?.body ?? []).toString()).toBe("text");
    expect(found?.etag).toBe("tag");
    expect(await store.has("a.txt")).toBe(false);
    expect(await store.has("a.txt")).toBe(true);
  });

  test("is read up to one byte past the bound", async () => {
    const { store } = await openScripted([{ body: "0123456789" }]);
    expect(Buffer.from((await store.read("a.txt", 4))?.body ?? []).toString()).toBe("01234");
    expect(await readText(store, "a.txt")).toBe("0123456789");
  });

  test.each([
    ["bucket", "", "GET /bucket/api/v1/status", "s3://bucket", ""],
    ["bucket/pre", "", "GET /bucket/pre/api/v1/status", "s3://bucket/pre", ""],
    [
      "bucket/pre",
      "&keys=suffixed",
      "GET /bucket/pre/api/v1/status.json",
      "s3://bucket/pre",
      " with suffixes",
    ],
  ])("in %s%s is asked for with %s", async (path, query, line, name, suffix) => {
    const { store, asked, endpoint } = await openScripted([{}], { path, query });
    await store.read("api/v1/status");
    expect(asked.map((one) => one.line)).toEqual([line]);
    expect([store.name, store.identity]).toEqual([name, `${name}@${endpoint}${suffix}`]);
  });

  test("is removed by its name", async () => {
    const { store, asked } = await openScripted([{ status: 204 }]);
    await store.remove("api/v1/status");
    expect(asked.map(({ line }) => line)).toEqual(["DELETE /bucket/api/v1/status"]);
  });
});

describe("the clock of the store", () => {
  const dated = (atMs: number) => ({ headers: { date: new Date(atMs).toUTCString() } });

  test("is unknown before the first answer, and after one without a date", async () => {
    const { store } = await openScripted([{}]);
    expect(store.clockAheadMs()).toBeUndefined();
    await store.find("a.txt");
    expect(store.clockAheadMs()).toBeUndefined();
  });

  test("is read from each answer, also from a refusal", async () => {
    const hourAgo = Date.now() - 3_600_000;
    const { store } = await openScripted([
      dated(Date.now()),
      { ...GONE, ...dated(hourAgo) },
      dated(Date.now() + 3_600_000),
    ]);
    // Whole hours, because the requests take time themselves.
    for (const hours of [0, 1, -1]) {
      await store.read("a.txt");
      expect(Math.round((store.clockAheadMs() ?? Number.NaN) / 3_600_000) + 0).toBe(hours);
    }
  });

  test("is read by a request without keys, to the second", async () => {
    const { endpoint } = await openScripted([
      { status: 403, headers: { date: "Mon, 23 Nov 2026 09:00:00 GMT" } },
      { status: 307, headers: { location: "/elsewhere" } },
    ]);
    const address = new URL(endpoint);
    expect(await requestAnonymously(address)).toEqual({
      status: 403,
      dateMs: Date.UTC(2026, 10, 23, 9),
    });
    // A redirect is an answer, and is not followed.
    expect(await requestAnonymously(address)).toEqual({ status: 307, dateMs: undefined });
    expect(await requestAnonymously(new URL("http://127.0.0.1:1/"))).toBeUndefined();
  });
});
