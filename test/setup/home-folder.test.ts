import { expect, test } from "vitest";
import { setMissingHome } from "../../src/setup/io.ts";

/** What is set if the home folder is found so. */
function settingWith(find: () => string): readonly (readonly string[])[] {
  const set: (readonly string[])[] = [];
  setMissingHome({ setEnv: (...variable) => void set.push(variable) }, find);
  return set;
}

test("a user of whom the system knows no home folder has the root folder", () => {
  const fail = (): string => {
    throw new Error("uv_os_homedir returned ENOENT");
  };
  expect(settingWith(fail)).toEqual([["HOME", "/"]]);
});

test("any other user keeps the home folder", () => {
  expect(settingWith(() => "/home/one")).toEqual([]);
});
