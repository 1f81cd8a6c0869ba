import { expect, test } from "vitest";
import { eventsNamed } from "./cli.ts";
import { useTheatre } from "./theatre.ts";
import { startToyS3 } from "./toy-s3.ts";

const { stage } = useTheatre();

test("a bucket whose keys get another style is another place: everything is published anew, at once", async () => {
  const [one, s3] = [await stage(), await startToyS3()];
  const runWith = (keys: string) =>
    one.run(
      ["--store", `${s3.url("public")}&keys=${keys}`, "--state", s3.url("state"), "--log", "json"],
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
