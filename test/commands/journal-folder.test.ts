import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../src/commands/failures.ts";
import { JournalError, makeJournalFolder, withJournal } from "../../src/commands/journal-folder.ts";
import { makeFolder } from "../intake/lab.ts";

test("the folder is made for its owner alone, and one that is there is taken as it is", async () => {
  const folder = join(makeFolder(), "deep/journal");
  await makeJournalFolder(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await makeJournalFolder(folder);
});

test("what another value of --journal would solve is a wrong setting", async () => {
  const folder = makeFolder();
  await writeFile(join(folder, "file"), "");
  for (const wrong of [join(folder, "file"), join(folder, "file/journal")]) {
    const made = makeJournalFolder(wrong);
    await expect(made).rejects.toThrow(UsageError);
    await expect(made).rejects.toThrow(`--journal ${wrong}: reports cannot be kept there (E`);
  }
});

test.each(["ENOSPC", "EDQUOT", "EIO", "EMFILE"])(
  "%s can pass, so it is no wrong setting",
  async (code) => {
    const error = Object.assign(new Error(`${code}: so it goes`), { code });
    const failed = withJournal("journal", () => Promise.reject(error));
    await expect(failed).rejects.toThrow(JournalError);
    await expect(failed).rejects.toThrow(
      `--journal journal: reports cannot be kept there (${code}: so it goes).`,
    );
  },
);

test("what is no failure of the system is thrown on", async () => {
  const defect = new TypeError("a defect");
  await expect(withJournal("journal", () => Promise.reject(defect))).rejects.toBe(defect);
});

test("a folder where a file belongs is a failure of the system as well", async () => {
  const folder = makeFolder();
  await mkdir(join(folder, "secret.bin"));
  const read = withJournal(folder, () => writeFile(join(folder, "secret.bin"), ""));
  await expect(read).rejects.toThrow(/EISDIR/u);
});
