import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { askRaw } from "./raw-client.ts";
import { startInternetProcess } from "./internet-process.ts";

test("an internet process takes commands, refuses invalid ones and ends on close", async () => {
  const internet = await startInternetProcess({
    behaviours: { "bad.test": { kind: "tls-reset" } },
    warmHosts: ["good.test"],
  });
  const question = {
    port: internet.tlsPort,
    host: "bad.test",
    ca: [readFileSync(internet.rootCaFile, "utf8")],
  };
  try {
    expect((await askRaw(question)).ended).toBe("ECONNRESET");
    await internet.set({ "bad.test": { kind: "page", status: 404 } });
    expect((await askRaw(question)).text).toMatch(/^HTTP\/1\.1 404/u);
    expect((await internet.stats("bad.test")).connections).toBe(2);
    await internet.setDns({ "named.test": { kind: "servfail" } });
    expect(await internet.connectToLines(["named.test", "bad.test"])).toEqual([
      `bad.test:443:127.0.0.1:${internet.tlsPort}`,
      `bad.test:80:127.0.0.1:${internet.httpPort}`,
    ]);
    const invalid = { kind: "sequence", steps: [] } as const;
    await expect(internet.set({ "bad.test": invalid })).rejects.toThrow("without steps");
  } finally {
    await internet.close();
  }
  expect(existsSync(internet.rootCaFile)).toBe(false);
  await expect(internet.stats("bad.test")).rejects.toThrow("the internet process has ended");
});

test("SIGTERM ends it and removes its files", async () => {
  const internet = await startInternetProcess();
  process.kill(internet.pid, "SIGTERM");
  await internet.close();
  expect(existsSync(internet.rootCaFile)).toBe(false);
  expect((await askRaw({ port: internet.httpPort, host: "x.test" })).ended).toBe("ECONNREFUSED");
});
