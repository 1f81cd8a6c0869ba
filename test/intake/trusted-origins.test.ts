import { expect, test } from "vitest";
import { prepareIntake, trustOwnPages } from "../../src/intake/intake-setup.ts";
import { collectProblems } from "../../src/setup/parse-options.ts";
import { INTAKE } from "../../src/setup/options/options.ts";
import { flagsOf } from "../setup/given.ts";
import { writeSmallCatalogue } from "../setup/small-catalogue.ts";

async function prepare(baseUrl?: string) {
  const flags = flagsOf(INTAKE, { baseUrl, catalogue: writeSmallCatalogue() });
  return prepareIntake(flags, collectProblems(), { env: {}, setEnv: () => undefined });
}

const SITE = "https://status.example/below";

test.each(["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1"])(
  "bound to %s, pages of this machine are trusted without a base URL",
  async (address) => {
    const { configured, isLoopbackOwn, warning } = trustOwnPages(await prepare(), address);
    expect(isLoopbackOwn).toBe(true);
    expect(configured.settings).toMatchObject({ isLoopbackOwn: true });
    expect(warning).toBe(
      "Without --base-url only pages that a browser of this machine opens at localhost or a loopback address, and those of allowOrigin, may send reports. All others get 403. Set --base-url to the address of the website.",
    );
  },
);

test.each(["0.0.0.0", "::", "10.0.0.7", "192.168.1.7", "fe80::7", "2001:db8::7", "128.0.0.1"])(
  "bound to %s, no page is trusted without a base URL",
  async (address) => {
    const { configured, isLoopbackOwn, warning } = trustOwnPages(await prepare(), address);
    expect(isLoopbackOwn).toBe(false);
    expect(configured.settings).toMatchObject({ isLoopbackOwn: false });
    expect(warning).toBe(
      `Without --base-url no page is known to be ours, because every client may connect to ${address}: only those of allowOrigin may send reports. All others get 403. Set --base-url to the address of the website.`,
    );
  },
);

test.each(["127.0.0.1", "0.0.0.0"])(
  "with a base URL, only its origin is trusted, without a warning (%s)",
  async (address) => {
    const { configured, isLoopbackOwn, warning } = trustOwnPages(await prepare(SITE), address);
    expect(configured.settings).toMatchObject({ ownOrigin: "https://status.example" });
    expect(isLoopbackOwn).toBe(false);
    expect(warning).toBe(undefined);
  },
);
