import { once } from "node:events";
import { createServer } from "node:tls";
import { openCertificateIssuer } from "../test/simulated-internet/certificates.ts";

/*
 * The sites for the benchmark of monitors, in their own process: one port for all hosts below `bench.example`, with one
 * certificate. The process shares the cores with the measured one, so it does the minimum: TLS, and the same answer to every
 * request. First line of output: `{"port":…,"rootCaPem":…}`. Ends with its input.
 */

const BODY = "x".repeat(2_000);
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`,
);
/** More than the concurrent checks, because a full queue would look like a site that is down. */
const BACKLOG = 4_096;

const issuer = await openCertificateIssuer(Date.now());
const context = await issuer.contextFor("*.bench.example", "public");
const server = createServer({ SNICallback: (_host, done) => done(null, context) }, (socket) => {
  // The client may close at any time.
  socket.on("error", () => undefined);
  // A request this short arrives in one chunk.
  socket.once("data", () => socket.end(ANSWER));
});
server.listen({ port: 0, host: "127.0.0.1", backlog: BACKLOG });
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("the server has no port");
process.stdout.write(
  `${JSON.stringify({ port: address.port, rootCaPem: issuer.publicRootPem })}\n`,
);
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));
