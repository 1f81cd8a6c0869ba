import { expect, test } from "vitest";
import { eventsNamed } from "./cli.ts";
import { isFull } from "../depth.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { startLoopbackS3 } from "./loopback-s3.ts";

const { workspace } = useCliFixture(!isFull);

test("a change of the style of keys publishes everything again at once", async () => {
  const [one, s3] = [await workspace(), await startLoopbackS3()];
  const runWith = (keys: string) =>
    one.run(
      ["--store", `${s3.url("public")}&keys=${keys}`, "--state", s3.url("state"), "--log", "debug"],
      s3.env,
    );
  const documents = ["public/api/v1/status", "public/api/v1/status/alpha"];
  expect((await runWith("exact")).code).toBe(0);
  for (const key of documents) {
    expect(s3.objects.has(key)).toBe(true);
    expect(s3.objects.has(`${key}.json`)).toBe(false);
  }
  const second = await runWith("suffixed");
  expect(second.code).toBe(0);
  for (const key of documents) expect(s3.objects.has(`${key}.json`)).toBe(true);
  expect(eventsNamed(second.stderr, "published").at(-1)).toMatchObject({ unchanged: 0 });
});

test("a run says what to do about a store in which a list cannot follow its details", async () => {
  const [one, s3] = [await workspace(), await startLoopbackS3()];
  s3.moods.nesting = "held";
  const stores = ["--store", s3.url("public"), "--state", s3.url("state"), "--log", "debug"];
  const { code, stderr } = await one.run(stores, s3.env);
  const message = String(eventsNamed(stderr, "failed")[0]?.["message"]);
  expect({ code, message }).toEqual({
    code: 1,
    message: expect.stringMatching(/does not exist, and the store refuses .* Add keys=suffixed/u),
  });
});
