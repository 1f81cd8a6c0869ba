import { expect, test } from "vitest";
import { errnoOf } from "../../src/model/errors.ts";
import { StoreError } from "../../src/model/store.ts";
import { toStoreError } from "../../src/store/store-error.ts";

const ATTEMPT = {
  storeName: "file:public",
  role: "public",
  operation: "write",
  key: "api/v1/status",
  path: "/srv/public/api/v1/status.json",
} as const;

function makeErrno(code: string, paths: { path?: string; dest?: string } = {}): Error {
  return Object.assign(new Error(`${code}: raw words of the system`), { code, ...paths });
}

const CODES =
  "EACCES EPERM EROFS ENOSPC EDQUOT ENOTDIR EEXIST EISDIR ENOENT ENAMETOOLONG ELOOP EMFILE ENFILE EFBIG EIO EBUSY ESOMETHING";

test("each message names store, key, code and path, and says what it said", async () => {
  const messages = CODES.split(" ").map((code) => {
    const cause = makeErrno(code);
    const error = toStoreError(cause, ATTEMPT);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ operation: "write", key: "api/v1/status", cause });
    expect(String(error)).toContain(`file:public: cannot write api/v1/status (${code}): `);
    expect(String(error)).toContain("/srv/public/api/v1/status.json");
    expect(String(error)).not.toMatch(/[{}]/);
    return String(error);
  });
  await expect(`${messages.join("\n")}\n`).toMatchFileSnapshot("golden/file-errors.txt");
});

test("the path is that of the failing call, and of a rename the target", () => {
  const opened = toStoreError(makeErrno("EACCES", { path: "/srv/public/.tmp" }), ATTEMPT);
  expect(String(opened)).toContain("allowed to use /srv/public/.tmp.");
  const renamed = toStoreError(
    makeErrno("EISDIR", { path: "/srv/public/.tmp/x", dest: "/srv/public/a.svg" }),
    ATTEMPT,
  );
  expect(String(renamed)).toContain("the file /srv/public/a.svg.");
});

test("a path with dollar signs is named as it is", () => {
  const error = toStoreError(makeErrno("ENOSPC", { path: "/srv/$&/$1" }), ATTEMPT);
  expect(String(error)).toContain("/srv/$&/$1");
});

test("a private store names the option of the state", () => {
  const error = toStoreError(makeErrno("ENOSPC"), { ...ATTEMPT, role: "private" });
  expect(String(error)).toContain("point --state at another disk");
});

test("a thrown value that is not a failed system call is returned unchanged", () => {
  const defect = new TypeError("undefined is not a function");
  expect(toStoreError(defect, ATTEMPT)).toBe(defect);
  expect(toStoreError("text", ATTEMPT)).toBe("text");
  expect(errnoOf(Object.assign(new Error(), { code: 5 }))).toBeUndefined();
});
