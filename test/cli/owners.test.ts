import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isFull } from "../depth.ts";
import { askOwnersOf } from "./ask-owners.ts";
import { eventsNamed } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { startIntake } from "./running-intake.ts";
import type { Workspace } from "./workspace.ts";

const { workspace } = useCliFixture(true);
const CATALOGUE = ["--catalogue", "catalogue.json"];

/** A site of an owner. */
async function startSite() {
  const files = new Map([["/", "<title>Shop</title>"]]);
  const server = createServer((request, response) => {
    const text = files.get(request.url ?? "");
    response.writeHead(text === undefined ? 404 : 200).end(text ?? "nothing");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, files, url: `http://127.0.0.1:${port}/` };
}

const badgesOf = (one: Workspace, id: string): Promise<readonly string[]> =>
  readdir(join(one.folder, "public/api/m", id)).catch(() => []);

/** Every file below a folder, with its bytes as text. */
async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      const plain = name.endsWith(".gz") ? (await import("node:zlib")).gunzipSync(bytes) : bytes;
      return `${name}\n${plain.toString("latin1")}`;
    }),
  );
  return texts.join("\n");
}

/** An intake with self-service, and a site that its guard lets through. */
async function start() {
  const one = await workspace();
  const site = await startSite();
  const guard = ["--allow-private", "127.0.0.1/32", "--allow-port", String(site.port)];
  expect(await one.run()).toMatchObject({ code: 0 });
  const options = [...CATALOGUE, "--set", "selfService=on", ...guard];
  const intake = await startIntake(options, { cwd: one.folder });
  onTestFinished(intake.kill);
  const ask = askOwnersOf(intake);
  const register = async () => {
    const { status, body } = await ask("POST", "", { body: { url: site.url, public: true } });
    expect(status).toBe(201);
    return body;
  };
  const prove = async () => {
    const made = await register();
    site.files.set(new URL(made.challenge.file.url).pathname, made.challenge.file.content);
    const { body } = await ask("POST", `/${made.id}/verify`, { key: made.token });
    expect(body.status).toBe("proved");
    return made;
  };
  return { one, site, guard, intake, ask, register, prove };
}

test.skipIf(isFull)("a site lives from its proof to its removal, and back", async () => {
  const { one, guard, ask, prove } = await start();
  const { id, token: key } = await prove();
  await expect.poll(() => badgesOf(one, id)).toContain("badge.svg");
  expect(await one.run(guard)).toMatchObject({ code: 0 });
  const { body } = await ask("GET", `/${id}`, { key });
  expect(body.lastCheck).toMatchObject({ state: "healthy" });
  const list = JSON.parse((await one.cli(["monitor", "list", "--json"])).stdout);
  expect(list).toMatchObject([{ id, owner: "proved", state: "healthy" }]);
  await ask("DELETE", `/${id}`, { key });
  await expect.poll(() => badgesOf(one, id)).toEqual([]);
  await ask("POST", `/${id}/restore`, { key });
  await expect.poll(() => badgesOf(one, id)).toContain("badge.svg");
  const { body: restored } = await ask("GET", `/${id}`, { key });
  expect(restored.lastCheck).toMatchObject({ state: "healthy", checks: { "30d": { decided: 1 } } });
});

test.skipIf(isFull)("an operator sees, exports, blocks and removes what owners add", async () => {
  const { one, site, guard, intake, ask, register, prove } = await start();
  const { id, token: key } = await prove();
  const waiting = await register();
  await intake.stop();
  expect((await one.cli(["refresh", ...CATALOGUE])).code).toBe(0);
  const pending = await one.cli(["monitor", "list", "--pending"]);
  expect(pending.stdout).toContain(waiting.id);
  expect(pending.stdout).not.toContain(id);
  const exported = await one.cli(["monitor", "export", id]);
  expect(JSON.parse(exported.stdout)).toMatchObject({ monitor: { id, url: site.url } });
  expect(exported.stdout).not.toContain("keyHash");
  const blocked = await one.cli(["monitor", "block", "127.0.0.1", ...CATALOGUE, ...guard]);
  expect(blocked.stdout).toBe(
    "127.0.0.1 is blocked: 2 monitors of its owners refused, and no new one accepted.\n",
  );
  expect(await badgesOf(one, id)).toEqual([]);
  const again = await startIntake([...CATALOGUE, ...guard], { cwd: one.folder });
  onTestFinished(again.kill);
  const askAgain = askOwnersOf(again);
  expect((await askAgain("GET", `/${id}`, { key })).body.refusal.kind).toBe("blocked");
  const refused = await askAgain("POST", "", { body: { url: site.url } });
  expect([refused.status, refused.body.code]).toEqual([403, "blocked-host"]);
  const removed = await one.cli(["monitor", "remove", id, ...CATALOGUE, ...guard]);
  expect(removed).toMatchObject({ code: 0 });
  const gone = await one.cli(["monitor", "export", id]);
  expect(gone.code).toBe(2);
  expect(gone.stderr).toContain(`no owner has added a monitor with the id \\"${id}\\".`);
  await expect.poll(async () => (await ask("GET", "").catch(() => ({ status: 0 }))).status).toBe(0);
});

test.skipIf(isFull)("a key is in no file, log, metric or answer but its own", async () => {
  const { one, intake, ask, register, prove } = await start();
  const { id, token: key } = await prove();
  const other = await register();
  const { body: lost } = await ask("POST", `/${id}/token`);
  const answers = await Promise.all([
    ask("GET", `/${id}`, { key }),
    ask("GET", `/${id}`, { key: lost.token }),
    ask("GET", `/${other.id}`, { key }),
    ask("PATCH", `/${id}`, { key, body: { name: "x" } }),
    ask("POST", `/${id}/verify`, { key }),
  ]);
  const metrics = await (await fetch(`${intake.operationsUrl}/metrics`)).text();
  expect(metrics).toContain('status_snapshot_owner_edits_total{kind="register"} 2');
  await intake.stop();
  const everything = [await bytesBelow(one.folder), intake.log(), metrics, JSON.stringify(answers)];
  for (const secret of [key, other.token, lost.token])
    expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  expect(everything[0]).toContain(id);
  const changes = eventsNamed(intake.log(), "owners-changed");
  expect(changes.length).toBeGreaterThan(0);
  expect(changes[0]).toMatchObject({ level: "info", erased: 0 });
});

test.skipIf(isFull)("without self-service there is no such operation", async () => {
  const one = await workspace();
  expect(await one.run()).toMatchObject({ code: 0 });
  const intake = await startIntake([...CATALOGUE], { cwd: one.folder });
  onTestFinished(intake.kill);
  const { status, body } = await askOwnersOf(intake)("POST", "", {
    body: { url: "https://a.ru/" },
  });
  expect([status, body.code]).toEqual([404, "off"]);
  expect(await readdir(join(one.folder, ".state"))).not.toContain("owner-edits");
});
