import { once } from "node:events";
import { createServer } from "node:tls";
import { openCertificateShop } from "../test/world/certificates.ts";

/*
 * The sites that the benchmark of monitors checks, in a process of its own: one port that is every host below `bench.example`,
 * with one certificate for them all. It shares the cores with what is measured, so it does as little as a server can: TLS, and
 * one answer whatever was asked. First line of output: `{"port":…,"rootCaPem":…}`. Ends with its input.
 */

const BODY = "x".repeat(2_000);
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`,
);
/** More than are ever under way at once: a queue that is full would look like a site that is down. */
const BACKLOG = 4_096;

const shop = await openCertificateShop(Date.now());
const context = await shop.contextFor("*.bench.example", "public");
const server = createServer({ SNICallback: (_host, done) => done(null, context) }, (socket) => {
  // Who asks may go at any moment.
  socket.on("error", () => undefined);
  // A request this short comes in one piece.
  socket.once("data", () => socket.end(ANSWER));
});
server.listen({ port: 0, host: "127.0.0.1", backlog: BACKLOG });
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("the server has no port");
process.stdout.write(`${JSON.stringify({ port: address.port, rootCaPem: shop.publicRootPem })}\n`);
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));
