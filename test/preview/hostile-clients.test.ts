import { expect, onTestFinished, test } from "vitest";
import { type FetchHandler } from "../../src/http-server/listen.ts";
import { listenPreview } from "./listen-preview.ts";
import { HOSTILE_TIMES, hostileClients } from "./hostile-clients.ts";
import { attack } from "../http-server/raw-client.ts";

const takePosts: FetchHandler = async (request) => {
  await request.text();
  return request.method === "POST"
    ? new Response("taken")
    : new Response(null, { status: 405, headers: { Allow: "POST" } });
};

test("hostile clients get ordered responses and leave no connection", async () => {
  let open = 0;
  let most = 0;
  const server = await listenPreview(takePosts, {
    port: 0,
    times: HOSTILE_TIMES,
    observer: {
      onOpen: (connections) => {
        open = connections;
        most = Math.max(most, connections);
      },
    },
  });
  onTestFinished(() => server.close());
  const clients = hostileClients("/", 200);
  const found = await attack(server.url, clients);
  expect(found.map(({ what, statuses }) => ({ what, statuses }))).toEqual(
    clients.map(({ what, statuses }) => ({ what, statuses })),
  );
  expect(most).toBeGreaterThan(clients.length / 2);
  await expect.poll(() => open, { timeout: 10_000 }).toBe(0);
});
