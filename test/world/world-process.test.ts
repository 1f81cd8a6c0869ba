import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { askRaw } from "./raw-client.ts";
import { startWorldProcess } from "./world-process.ts";

test("a world in its own process takes commands, refuses nonsense and ends when told to", async () => {
  const world = await startWorldProcess({
    behaviours: { "bad.test": { kind: "tls-reset" } },
    warmHosts: ["good.test"],
  });
  const question = {
    port: world.tlsPort,
    host: "bad.test",
    ca: [readFileSync(world.rootCaFile, "utf8")],
  };
  try {
    expect((await askRaw(question)).ended).toBe("ECONNRESET");
    await world.set({ "bad.test": { kind: "page", status: 404 } });
    expect((await askRaw(question)).text).toMatch(/^HTTP\/1\.1 404/u);
    expect((await world.stats("bad.test")).connections).toBe(2);
    await world.setDns({ "named.test": { kind: "servfail" } });
    expect(await world.connectToLines(["named.test", "bad.test"])).toEqual([
      `bad.test:443:127.0.0.1:${world.tlsPort}`,
      `bad.test:80:127.0.0.1:${world.httpPort}`,
    ]);
    const nonsense = { kind: "sequence", steps: [] } as const;
    await expect(world.set({ "bad.test": nonsense })).rejects.toThrow("without steps");
  } finally {
    await world.close();
  }
  expect(existsSync(world.rootCaFile)).toBe(false);
  await expect(world.stats("bad.test")).rejects.toThrow("the world has ended");
});

test("SIGTERM ends it, its files included", async () => {
  const world = await startWorldProcess();
  process.kill(world.pid, "SIGTERM");
  await world.close();
  expect(existsSync(world.rootCaFile)).toBe(false);
  expect((await askRaw({ port: world.httpPort, host: "x.test" })).ended).toBe("ECONNREFUSED");
});
