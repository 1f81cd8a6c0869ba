import type { Socket } from "node:net";
import { callbackify } from "node:util";
import { Agent, type buildConnector, errors, request as send } from "undici";
import { onlyHop, openStream } from "../../probe/network/single-request.ts";
import { onAbort } from "../../probe/network/tcp.ts";
import type { HttpRequest } from "../../probe/network/http.ts";
import { type AskDependencies, type Glance, GLANCED_BYTES, TOTAL_MS, waitIn } from "./ask.ts";

/** Connections to one receiver: no fewer than messages at once, whose time would pass in a queue. */
const CONNECTIONS = 256;

/** What the guard of addresses, or the way to a receiver, has refused, by its code. */
class NoConnection extends Error {}

/**
 * As `askReceiver` with a POST, but a connection is kept for a few seconds, for receivers that get many messages: a handshake takes ten times
 * as long as a message. The guard judges the URL of each message, and each address that a connection is made to.
 */
export function createKeptAsker({ probe, signal }: AskDependencies) {
  const limits = { ...probe.limits, totalMs: TOTAL_MS };
  const open = async (url: URL): Promise<Socket> => {
    const connection = await openStream(onlyHop(url, { ...probe, limits }, signal));
    if ("kind" in connection)
      throw new NoConnection(connection.kind === "skipped" ? connection.reason : connection.code);
    const { stream, raw } = connection;
    stream.once("close", () => void raw.destroy());
    return stream;
  };
  const connectTo = callbackify(open);
  const connect: buildConnector.connector = ({ protocol, host, hostname }, done) =>
    connectTo(new URL(`${protocol}//${host ?? hostname}`), (error, socket) => {
      if (error === null) done(null, socket);
      else done(error, null);
    });
  const named = probe.userAgent === undefined ? {} : { "user-agent": probe.userAgent };
  const dispatcher = new Agent({ connect, connections: CONNECTIONS, pipelining: 1 });
  onAbort(signal, () => void dispatcher.destroy());
  return async (url: URL, message: Pick<HttpRequest, "headers" | "body">): Promise<Glance> => {
    if (probe.refusalOfUrl?.(url) !== undefined) return { kind: "failed", reason: "url-refused" };
    const end = new AbortController();
    const late = setTimeout(() => end.abort(), TOTAL_MS);
    try {
      const headers = { ...named, ...message.headers };
      const request = { ...message, headers, method: "POST" } as const;
      const answer = await send(url, { ...request, dispatcher, signal: end.signal });
      // The rest of a longer body is not read, and its connection is not kept.
      await answer.body.dump({ limit: GLANCED_BYTES, signal: end.signal });
      const retryAfterMs = waitIn(answer.headers["retry-after"]);
      return { kind: "answer", status: answer.statusCode, retryAfterMs };
    } catch (error) {
      return { kind: "failed", reason: end.signal.aborted ? "http-timeout" : reasonOf(error) };
    } finally {
      clearTimeout(late);
    }
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof NoConnection) return error.message;
  return error instanceof errors.HTTPParserError ? "http-malformed" : "http-closed";
}
