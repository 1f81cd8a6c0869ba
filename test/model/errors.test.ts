import { expect, test } from "vitest";
import {
  codeOrMessageOf,
  errnoOf,
  messageOf,
  parseJson,
  unlessAbsent,
} from "../../src/model/errors.ts";

const failure = (code: unknown, message = "no space") =>
  Object.assign(new Error(message), { code });

test("a failure has its code, if that is a text", () => {
  expect(errnoOf(failure("ENOSPC"))).toBe("ENOSPC");
  for (const other of [failure(7), new Error("x"), "ENOSPC", { code: "ENOSPC" }, undefined])
    expect(errnoOf(other)).toBeUndefined();
});

test("whatever is thrown says something, and its code before its sentence", () => {
  expect(messageOf(new Error("the disk is full"))).toBe("the disk is full");
  expect(messageOf("text")).toBe("text");
  expect(messageOf(undefined)).toBe("undefined");
  expect(codeOrMessageOf(failure("ENOSPC"))).toBe("ENOSPC");
  expect(codeOrMessageOf(failure(7))).toBe("no space");
});

test("only a file that is not there is undefined", async () => {
  expect(await unlessAbsent(Promise.resolve("text"))).toBe("text");
  expect(await unlessAbsent(Promise.reject(failure("ENOENT")))).toBeUndefined();
  await expect(unlessAbsent(Promise.reject(failure("EACCES")))).rejects.toThrow("no space");
});

test("a text that is not JSON has no value", () => {
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(parseJson("null")).toBeNull();
  expect(parseJson("{")).toBeUndefined();
});
