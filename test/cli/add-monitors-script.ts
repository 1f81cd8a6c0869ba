import { addToRegistry } from "../../src/commands/monitor-edit.ts";
import { openRegistry } from "../../src/commands/monitors-file.ts";

/** Started by `monitors-file.test.ts`: adds so many monitors to a registry, one after the other. */
const [place = "", prefix = "", count = ""] = process.argv.slice(2);
const opened = await openRegistry(place);
if ("problem" in opened) throw new Error(opened.problem);
for (let index = 0; index < Number(count); index += 1) {
  const edited = await addToRegistry(
    `https://${prefix}${index}.example/`,
    {},
    {
      place: opened.value,
      rules: { refusalOfUrl: () => undefined },
      newId: () => `${prefix}-${index}`,
    },
  );
  if (edited.kind !== "done") throw new Error(edited.message);
}
