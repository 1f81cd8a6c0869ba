import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { dayFiles, sealChecks } from "../../src/open-data/archive/seal.ts";
import { decodeChecks } from "../../src/open-data/archive/spool.ts";
import { killDuringFolds } from "../cli/archive-kills.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import { sampleDay } from "../open-data/archive/sample-day.ts";
import { connectS3 } from "./s3-client.ts";
import { bucketOptions, createBucket, environmentOf, openS3, urlOf } from "./s3-harness.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const env = environmentOf(ceph);
Object.assign(process.env, env);
afterAll(() => s3.destroy());

const { workspace } = useCliFixture();

const KILLS = 12;
const READERS = fileURLToPath(new URL("archive-readers.sh", import.meta.url));

test("pandas reads a day as it was written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-archive-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const sealed = sealChecks(sampleDay());
  const checks = decodeChecks(sealed) ?? [];
  const [parquet] = await dayFiles(sealed, checks, "2026-11-24");
  const path = join(folder, "checks.parquet");
  await writeFile(path, parquet?.body ?? new Uint8Array());
  const { stdout } = await promisify(execFile)(READERS, [path]);
  const failed = checks.filter(({ state }) => state === "failed");
  expect(JSON.parse(stdout)).toEqual({
    rows: 73_728,
    types: expect.objectContaining({
      at: expect.stringMatching(/^datetime64/u),
      ms: expect.stringMatching(/int|float/u),
    }),
    services: 85,
    ms: checks.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
    failed: failed.length,
    codes: ["tcp-timeout"],
    first: new Date((checks[0]?.at ?? 0) * 1_000).toISOString().replace(/\.000Z$/u, "+00:00"),
    last: new Date((checks.at(-1)?.at ?? 0) * 1_000).toISOString().replace(/\.000Z$/u, "+00:00"),
  });
});

test("runs on Ceph that are killed while they fold a day leave it in the archive once", async () => {
  const [publicBucket, stateBucket] = [await createBucket(s3), await createBucket(s3)];
  await killDuringFolds(
    {
      workspace: await workspace(),
      options: bucketOptions(ceph.endpoint, publicBucket, stateBucket),
      env,
      publicStore: openS3(urlOf(ceph.endpoint, publicBucket)),
      stateStore: openS3(urlOf(ceph.endpoint, stateBucket), "private"),
      afterKill: () => undefined,
    },
    KILLS,
  );
});
