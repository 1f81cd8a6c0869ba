import { addToRegistry } from "../../../src/setup/registry/edit-registry.ts";
import { openRegistry } from "../../../src/setup/registry/registry-location.ts";

/** Started by `edit-registry.test.ts`: adds monitors to a registry, one after the other. */
const [location = "", prefix = "", count = ""] = process.argv.slice(2);
const opened = await openRegistry(location);
if ("problem" in opened) throw new Error(opened.problem);
for (let index = 0; index < Number(count); index += 1) {
  const edited = await addToRegistry(
    `https://${prefix}${index}.example/`,
    {},
    {
      location: opened.value,
      rules: { refusalOfUrl: () => undefined },
      newId: () => `${prefix}-${index}`,
    },
  );
  if (edited.kind !== "done") throw new Error(edited.message);
}
