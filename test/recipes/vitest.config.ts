import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { PATIENCE } from "../patience.ts";

/** Compiles a copy of the program, so it is part of `npm run check`, as the types are. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: { include: ["test/recipes/*.test.ts"], ...PATIENCE },
});
