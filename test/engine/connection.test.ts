import { expect, test } from "vitest";
import { connectEngine, withEngine } from "../../src/engine/connection.ts";
import { startSmallNats } from "./small-nats.ts";

test("the replies of each side come in under a subject of its own", async () => {
  const { url, said } = await startSmallNats();
  for (const peer of ["publisher", { vantage: "spb" }] as const) {
    const connection = await connectEngine({ url }, peer, false);
    await connection.request("$JS.API.INFO", "");
    await connection.close();
  }
  expect(said.map(({ inbox }) => inbox?.split(".").slice(0, -2).join("."))).toEqual([
    "_INBOX.publisher",
    "_INBOX.vantage.spb",
  ]);
});

test("a connection that an action has is closed after it, also if it fails", async () => {
  const { url } = await startSmallNats();
  const states: boolean[] = [];
  const open = { isClosed: (): boolean => false };
  const done = await withEngine({ url }, "publisher", false, async (connection) => {
    open.isClosed = () => connection.isClosed();
    states.push(open.isClosed());
    return 5;
  });
  expect([done, states, open.isClosed()]).toEqual([5, [false], true]);
  const failed = withEngine({ url }, "publisher", false, async (connection) => {
    open.isClosed = () => connection.isClosed();
    throw new Error("the action failed");
  });
  await expect(failed).rejects.toThrow("the action failed");
  expect(open.isClosed()).toBe(true);
});
