import { describe, expect, test } from "vitest";
import { readBody, readJsonText } from "../../src/http-server/read-body.ts";

const MAX_BYTES = 10;
const URL_OF_API = "http://127.0.0.1/";

/** A request whose body arrives in chunks, with the headers as they were sent. */
function requestOf(
  chunks: readonly string[],
  headers: Readonly<Record<string, string>> = {},
  end: "ends" | "hangs" | "breaks" = "ends",
): Request {
  const body = new ReadableStream({
    start: (stream) => {
      for (const chunk of chunks) stream.enqueue(new TextEncoder().encode(chunk));
      if (end === "ends") stream.close();
      if (end === "breaks") stream.error(new Error("the client is gone"));
    },
  });
  return new Request(URL_OF_API, { method: "POST", body, duplex: "half", headers });
}

async function read(request: Request): Promise<string> {
  const result = await readBody(request, 50, MAX_BYTES);
  return result.kind === "body" ? `body ${Buffer.from(result.bytes).toString()}` : result.kind;
}

describe("a body", () => {
  test("of an announced length is read, up to the largest", async () => {
    expect(await read(requestOf(["0123456789"], { "Content-Length": "10" }))).toBe(
      "body 0123456789",
    );
    expect(await read(requestOf(["ignored"], { "Content-Length": "0" }))).toBe("body ");
  });

  test("that is announced as too large is not read", async () => {
    const request = requestOf(["0123456789"], { "Content-Length": "11" });
    expect(await read(request)).toBe("too-large");
    expect(request.bodyUsed).toBe(false);
  });

  test("that is larger than announced is too large all the same", async () => {
    expect(await read(requestOf(["0123456789a"], { "Content-Length": "5" }))).toBe("too-large");
  });

  test("without a length is read in its parts, up to the largest", async () => {
    expect(await read(requestOf(["01234", "56789"]))).toBe("body 0123456789");
    expect(await read(requestOf(["01234", "56789", "a"]))).toBe("too-large");
    expect(await read(new Request(URL_OF_API))).toBe("body ");
  });

  test.each(["unknown", "5, 5", "1.5", "-1", "0x5"])(
    "of length %s is read like one without",
    async (length) => {
      const headers = { "Content-Length": length };
      expect(await read(requestOf(["01234", "56789"], headers))).toBe("body 0123456789");
      // Nothing is read after the part that is too much: it would hang.
      expect(await read(requestOf(["01234", "56789", "a"], headers, "hangs"))).toBe("too-large");
    },
  );

  test("that is too large, and cannot be cut off, is too large all the same", async () => {
    const failures: unknown[] = [];
    const note = (error: unknown): void => void failures.push(error);
    process.on("unhandledRejection", note);
    const body = new ReadableStream({
      pull: (stream) => stream.enqueue(new Uint8Array(MAX_BYTES + 1)),
      cancel: () => Promise.reject(new Error("it goes on")),
    });
    const request = new Request(URL_OF_API, { method: "POST", body, duplex: "half" });
    expect(await read(request)).toBe("too-large");
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("unhandledRejection", note);
    expect(failures).toEqual([]);
  });

  test("that does not come is too slow, one that breaks off is malformed", async () => {
    expect(await read(requestOf(["0"], {}, "hangs"))).toBe("too-slow");
    expect(await read(requestOf(["0"], { "Content-Length": "5" }, "hangs"))).toBe("too-slow");
    expect(await read(requestOf([], {}, "breaks"))).toBe("malformed");
    expect(await read(requestOf([], { "Content-Length": "5" }, "breaks"))).toBe("malformed");
  });
});

describe("JSON", () => {
  const JSON_TYPE = { "Content-Type": "application/json" };
  const LIMIT = 16 * 1024;

  test.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/merge-patch+json",
    "application/json ; charset=utf-8",
  ])("of type %s is read", async (type) => {
    expect(await readJsonText(requestOf(["{}"], { "Content-Type": type }))).toEqual({ text: "{}" });
  });

  test.each<Readonly<Record<string, string>>>([
    {},
    { "Content-Type": "text/plain" },
    { "Content-Type": "application/jsonp" },
    { "Content-Type": "" },
    { ...JSON_TYPE, "Content-Encoding": "gzip" },
  ])("is refused with the headers %j", async (headers) => {
    expect(await readJsonText(requestOf(["{}"], headers))).toEqual({
      reason: "unknown-media-type",
    });
  });

  test("has 16 KiB at most", async () => {
    const most = "x".repeat(LIMIT);
    expect(await readJsonText(requestOf([most], JSON_TYPE))).toEqual({ text: most });
    expect(await readJsonText(requestOf([most, "x"], JSON_TYPE))).toEqual({ reason: "too-large" });
  });

  test("that breaks off, or is not UTF-8, is malformed", async () => {
    expect(await readJsonText(requestOf([], JSON_TYPE, "breaks"))).toEqual({
      reason: "malformed",
    });
    const bytes = new Request(URL_OF_API, {
      method: "POST",
      body: Buffer.from([0x22, 0xff, 0x22]),
      headers: JSON_TYPE,
    });
    expect(await readJsonText(bytes)).toEqual({ reason: "malformed", detail: "not UTF-8" });
  });
});
