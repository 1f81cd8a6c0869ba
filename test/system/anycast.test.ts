import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { canMakeNamespaces } from "./namespaces.ts";

/** Public, so that places tell how far it is: on the loopback interface of a network that has no other. */
const ADDRESS = "198.51.99.1";
const RUN = "node_modules/.bin/vitest run --config test/vitest.config.ts test/cli/anycast.test.ts";

test.runIf(await canMakeNamespaces())("one address is many servers", async () => {
  const prepare = `ip link set lo up && ip address add ${ADDRESS}/32 dev lo`;
  const inside = ["--net", "sh", "-c", `${prepare} && exec ${RUN}`];
  const { stdout } = await promisify(execFile)("unshare", inside, {
    env: { ...process.env, NO_COLOR: "1", ANYCAST_ADDRESS: ADDRESS },
  });
  expect(stdout).toMatch(/Tests {2}2 passed \(2\)/u);
});
