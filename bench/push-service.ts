import { once } from "node:events";
import { createServer } from "node:https";
import { openCertificateIssuer } from "../test/simulated-internet/certificates.ts";

/*
 * The service of a maker of browsers, in its own process: takes every message on one port for all hosts below `bench.example`. First line of
 * output: `{"port":…,"rootCaPem":…}`. A line of input asks how many messages for how many browsers it has taken over how many connections.
 * Ends with its input.
 */

const issuer = await openCertificateIssuer(Date.now());
const context = await issuer.contextFor("*.bench.example", "public");
const paths = new Set<string>();
let [messages, connections] = [0, 0];
const server = createServer(
  { SNICallback: (_host, done) => done(null, context) },
  (request, response) => {
    request.resume();
    request.once("end", () => {
      messages += 1;
      paths.add(request.url ?? "");
      response.writeHead(201).end();
    });
  },
);
server.on("secureConnection", () => (connections += 1));
server.listen({ port: 0, host: "127.0.0.1", backlog: 4_096 });
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("the server has no port");
const print = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
print({ port: address.port, rootCaPem: issuer.publicRootPem });
process.stdin.on("data", () => print({ messages, browsers: paths.size, connections }));
process.stdin.once("end", () => process.exit(0));
