import { connect } from "node:net";
import { createInterface } from "node:readline";

/*
 * Clients that never end the head of a request, each from its own network. Arguments: port of the server, number of clients.
 * A client whose connection is closed reconnects five seconds later. After the line `stop` on standard input clients open no more
 * connections, and keep the open ones. At the end of its input the script prints its counts and exits.
 */
const [port, clients] = process.argv.slice(2).map(Number);
const AGAIN_MS = 5_000;
const BYTE_EVERY_MS = 1_000;
const tally = { opened: 0, dropped: 0, timedOut: 0 };
let isStopped = false;

/** No two clients share a /24, and none is in 127.0.0.0/16. */
function addressOf(number: number): string {
  return `127.${1 + Math.floor(number / 256)}.${number % 256}.1`;
}

function drip(number: number): void {
  if (isStopped) return;
  let isAnswered = false;
  const socket = connect({ port: port ?? 0, host: "127.0.0.1", localAddress: addressOf(number) });
  socket.write("POST /report/alpha HTTP/1.1\r\nX: ");
  const dripping = setInterval(() => socket.write("x"), BYTE_EVERY_MS);
  socket.on("connect", () => (tally.opened += 1));
  socket.on("data", (bytes) => (isAnswered ||= bytes.toString("latin1").includes(" 408 ")));
  socket.on("error", () => undefined);
  socket.on("close", () => {
    clearInterval(dripping);
    tally[isAnswered ? "timedOut" : "dropped"] += 1;
    setTimeout(() => drip(number), AGAIN_MS);
  });
}

for (let number = 0; number < (clients ?? 0); number += 1) {
  // Spread over the interval, as are the later reconnects.
  setTimeout(() => drip(number), Math.random() * AGAIN_MS);
}
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "stop") isStopped = true;
}
process.stdout.write(`${JSON.stringify(tally)}\n`);
process.exit();
