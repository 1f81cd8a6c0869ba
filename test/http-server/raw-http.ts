import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

export interface RawAnswer {
  readonly status: number;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends the bytes unchanged and reads until the server closes, because an HTTP client would normalise the path. */
export async function exchange(baseUrl: string, request: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ""));
  await once(socket, "connect");
  socket.write(Buffer.from(request, "latin1"));
  return parseAnswer(await text(socket));
}

/** Sends one request on its own connection. */
export function send(
  baseUrl: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const lines = Object.entries({ Host: new URL(baseUrl).host, Connection: "close", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return exchange(baseUrl, `${method} ${target} HTTP/1.1\r\n${head}\r\n`);
}

function parseAnswer(answer: string): RawAnswer {
  const end = answer.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = answer.slice(0, end).split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: Object.fromEntries(headers),
    body: answer.slice(end + 4),
  };
}
