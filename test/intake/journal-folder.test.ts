import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../src/setup/errors.ts";
import {
  JournalError,
  createJournalFolder,
  withJournalFolder,
} from "../../src/intake/journal-folder.ts";
import { makeFolder } from "../reports/intake/harness.ts";

test("a new folder is private, and an existing one is unchanged", async () => {
  const folder = join(makeFolder(), "deep/journal");
  await createJournalFolder(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await createJournalFolder(folder);
});

test("an error that needs another value of journal is a wrong setting", async () => {
  const folder = makeFolder();
  await writeFile(join(folder, "file"), "");
  for (const wrong of [join(folder, "file"), join(folder, "file/journal")]) {
    const made = createJournalFolder(wrong);
    await expect(made).rejects.toThrow(UsageError);
    await expect(made).rejects.toThrow(`journal ${wrong}: reports cannot be kept there (E`);
  }
});

test.each(["EAGAIN", "EBUSY", "EDQUOT", "EIO", "EMFILE", "ENFILE", "ENOMEM", "ENOSPC", "ESTALE"])(
  "%s can be temporary, so it is not a wrong setting",
  async (code) => {
    const error = Object.assign(new Error(`${code}: so it goes`), { code });
    const failed = withJournalFolder("journal", () => Promise.reject(error));
    await expect(failed).rejects.toThrow(JournalError);
    await expect(failed).rejects.toThrow(
      `journal journal: reports cannot be kept there (${code}: so it goes). Check that disk, and start the intake again.`,
    );
    await expect(failed).rejects.toMatchObject({ cause: error });
  },
);

test("a folder whose rights are missing is a wrong setting", async () => {
  const error = Object.assign(new Error("EACCES: no"), { code: "EACCES" });
  await expect(withJournalFolder("j", () => Promise.reject(error))).rejects.toEqual(
    new UsageError([
      "journal j: reports cannot be kept there (EACCES: no). Name a folder that this user can read and write.",
    ]),
  );
});

test("other errors are rethrown", async () => {
  const defect = new TypeError("a defect");
  await expect(withJournalFolder("journal", () => Promise.reject(defect))).rejects.toBe(defect);
});

test("a folder in place of a file is a system error as well", async () => {
  const folder = makeFolder();
  await mkdir(join(folder, "secret.bin"));
  const read = withJournalFolder(folder, () => writeFile(join(folder, "secret.bin"), ""));
  await expect(read).rejects.toThrow(/EISDIR/u);
});
