import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/**
 * Ends a connection with a response that is written by hand, because it belongs to no request object. The client then has
 * some milliseconds to read it and to close. Closing at once would reset the connection, because further bytes of the client
 * would remain unread, and a reset can overtake the response. Never rejects.
 */
export async function endWith(socket: Socket, answer: Response, lingerMs: number): Promise<void> {
  const body = await answer.text();
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(linger));
  const headers = new Headers(answer.headers);
  headers.set("Connection", "close");
  headers.set("Content-Length", String(Buffer.byteLength(body)));
  headers.set("Date", new Date().toUTCString());
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const { status } = answer;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n${body}`);
  socket.resume();
}
