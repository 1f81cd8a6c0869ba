import { gzipSync } from "node:zlib";
import type { HttpBehaviour } from "./behaviour.ts";
import { flood } from "./flood.ts";
import { actBody } from "./http-bodies.ts";
import { endAnswer, every, fillBytes, head, later, type Exchange } from "./http-exchange.ts";

const BLOCK_PAGE =
  "<!doctype html><title>Доступ ограничен</title><h1>Доступ к информационному ресурсу ограничен " +
  "на основании Федерального закона от 27.07.2006 № 149-ФЗ</h1>";

/** Answers one request according to the behaviour. */
export function act(exchange: Exchange, behaviour: HttpBehaviour): void {
  switch (behaviour.kind) {
    case "page":
      return actPage(exchange, behaviour);
    case "http-silence":
      return;
    case "http-reset":
      return exchange.reset();
    case "http-close":
      return endAnswer(exchange);
    case "http-malformed":
      return endAnswer(exchange, MALFORMED[behaviour.part]);
    case "headers-endless":
      exchange.stream.write("HTTP/1.1 200 OK\r\n");
      return flood(exchange.stream, Buffer.from("X-Filler: and so on\r\n".repeat(200)));
    case "headers-drip":
      exchange.stream.write("HTTP/1.1 200 OK\r\n");
      return every(exchange, behaviour.intervalMs, "X-Filler: drop\r\n");
    case "headers-many":
      exchange.stream.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n");
      return endAnswer(exchange, `${"X-A: b\r\n".repeat(behaviour.count)}\r\n`);
    case "informational-flood":
      return actFlood(exchange, behaviour.status ?? 103, behaviour.intervalMs);
    case "redirect":
      return redirect(exchange, behaviour.to, behaviour.status);
    case "redirect-loop":
      return redirect(exchange, exchange.request.url);
    case "redirect-endless":
      return redirect(exchange, nextPath(exchange.request.path));
    case "legal-refusal":
      return actLegalRefusal(exchange, behaviour.blockedBy);
    case "block-page":
      return actPage(exchange, { kind: "page", body: behaviour.body ?? BLOCK_PAGE });
    case "denial":
      return actDenial(exchange, behaviour);
    case "body-bomb":
      return actBomb(exchange, behaviour.bodyBytes);
    default:
      return actBody(exchange, behaviour);
  }
}

const MALFORMED = {
  "status-line": "SSH-2.0-OpenSSH_9.2p1 Debian\r\n",
  header: "HTTP/1.1 200 OK\r\nX-Zero: \0\r\nContent-Length: 0\r\n\r\n",
  // HTTP/0.9 has no head.
  "version-0.9": "<html><body>hello</body></html>",
} as const;

function actPage(exchange: Exchange, page: Extract<HttpBehaviour, { kind: "page" }>): void {
  const body =
    page.body === undefined ? fillBytes(page.bodyBytes ?? 70_000) : Buffer.from(page.body);
  const bytes = head(page.status ?? 200, body.length, page.headers);
  later(exchange, page.delayMs, () => {
    if (page.bodyDelayMs === undefined) return endAnswer(exchange, bytes, body);
    exchange.stream.write(bytes);
    later(exchange, page.bodyDelayMs, () => endAnswer(exchange, body));
  });
}

function actFlood(exchange: Exchange, status: number, intervalMs: number): void {
  const answer = `HTTP/1.1 ${status} Hold The Line\r\nX-Filler: and so on\r\n\r\n`;
  if (intervalMs > 0) return every(exchange, intervalMs, answer);
  flood(exchange.stream, Buffer.from(answer.repeat(200)));
}

function redirect(exchange: Exchange, to: string, status = 302): void {
  endAnswer(exchange, head(status, 0, { Location: to }));
}

function nextPath(path: string): string {
  const hop = /^\/hop-(\d+)$/u.exec(path)?.[1] ?? "0";
  return `/hop-${Number(hop) + 1}`;
}

function actLegalRefusal(exchange: Exchange, blockedBy: string | undefined): void {
  const headers = blockedBy === undefined ? {} : { Link: `<${blockedBy}>; rel="blocked-by"` };
  const body = "<h1>451 Unavailable For Legal Reasons</h1>";
  actPage(exchange, { kind: "page", status: 451, headers, body });
}

function actDenial(exchange: Exchange, denial: Extract<HttpBehaviour, { kind: "denial" }>): void {
  if (denial.location !== undefined) return redirect(exchange, denial.location, denial.status);
  const body = `{"error":{"code":"${denial.marker ?? "unsupported_country"}"}}`;
  actPage(exchange, { kind: "page", status: denial.status ?? 403, body });
}

function actBomb(exchange: Exchange, bodyBytes: number): void {
  const body = gzipSync(Buffer.alloc(bodyBytes));
  endAnswer(exchange, head(200, body.length, { "Content-Encoding": "gzip" }), body);
}
