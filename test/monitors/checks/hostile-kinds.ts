import type { Behaviour } from "../../simulated-internet/behaviour.ts";
import { floodAfter, say, type Act } from "./raw-server.ts";

/** `healthy`, or the code with which the check fails or is refused. */
type Word = string;

/** What the simulated internet can do to a monitor, and the result of the check. */
export const INTERNET_KINDS: Readonly<Record<string, readonly [Behaviour, Word]>> = {
  "body-endless": [{ kind: "body-endless" }, "healthy"],
  "body-drip": [{ kind: "body-drip", intervalMs: 50 }, "body-timeout"],
  "body-stall": [{ kind: "body-stall", afterBytes: 3_000 }, "body-timeout"],
  "body-close": [{ kind: "body-close", afterBytes: 3_000 }, "body-closed"],
  "body-overrun": [{ kind: "body-overrun", announcedBytes: 10, sentBytes: 50_000 }, "healthy"],
  "body-bad-chunk": [{ kind: "body-bad-chunk" }, "body-malformed"],
  "body-bomb": [{ kind: "body-bomb", bodyBytes: 20_000_000 }, "healthy"],
  "headers-endless": [{ kind: "headers-endless" }, "http-headers-too-large"],
  "headers-drip": [{ kind: "headers-drip", intervalMs: 50 }, "http-timeout"],
  "headers-100000": [{ kind: "headers-many", count: 100_000 }, "http-headers-too-large"],
  "1xx-flood": [{ kind: "informational-flood", intervalMs: 0 }, "http-informational-flood"],
  "1xx-drip": [{ kind: "informational-flood", intervalMs: 200 }, "http-timeout"],
  "redirect-loop": [{ kind: "redirect-loop" }, "redirect-loop"],
  "redirect-endless": [{ kind: "redirect-endless" }, "redirect-too-many"],
  "redirect-scheme": [{ kind: "redirect", to: "file:///etc/passwd" }, "redirect-refused"],
  "redirect-port": [{ kind: "redirect", to: "https://h.test:6379/" }, "redirect-refused"],
  "redirect-localhost": [{ kind: "redirect", to: "http://localhost./" }, "redirect-refused"],
  "redirect-metadata": [{ kind: "redirect", to: "http://169.254.169.254/" }, "redirect-refused"],
  "tls-silence": [{ kind: "tls-silence" }, "tls-timeout"],
  "tls-close": [{ kind: "tls-close" }, "tls-closed"],
  "tls-garbage": [{ kind: "tls-garbage" }, "tls-malformed"],
  "tls-plain-http": [{ kind: "tls-plain-http" }, "tls-malformed"],
  "http-silence": [{ kind: "http-silence" }, "http-timeout"],
  "http-close": [{ kind: "http-close" }, "http-closed"],
};

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKS = "5\r\nhello\r\n0\r\n\r\n";

/** A redirect with these header lines. */
function moved(lines: string): Act {
  return say(`HTTP/1.1 302 Found\r\n${lines}\r\nContent-Length: 0\r\n\r\n`);
}

/** Plain HTTP responses that other software might read differently, or not at all. */
export const RAW_KINDS: Readonly<Record<string, readonly [Act, Word]>> = {
  "http-0.9": [say("<html>hello</html>"), "http-malformed"],
  "http-2-preface": [say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "http-malformed"],
  "invalid-bytes": [say("\xff\xfe\x00\x80\x01".repeat(2_000)), "http-malformed"],
  "status-line-endless": [floodAfter("HTTP/1.1 200 ", "a"), "http-headers-too-large"],
  "status-99": [say("HTTP/1.1 99 Odd\r\nContent-Length: 0\r\n\r\n"), "http-malformed"],
  "status-1000": [say("HTTP/1.1 1000 Odd\r\nContent-Length: 0\r\n\r\n"), "http-malformed"],
  "name-endless": [floodAfter(`${OK}X`, "a"), "http-headers-too-large"],
  "value-endless": [floodAfter(`${OK}X: `, "a"), "http-headers-too-large"],
  "spaces-endless": [floodAfter(`${OK}X: `, " "), "http-headers-too-large"],
  "length-and-chunked": [
    say(`${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    "healthy",
  ],
  "two-equal-lengths": [say(`${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`), "healthy"],
  "two-lengths": [
    say(`${OK}Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello`),
    "http-malformed",
  ],
  "length-list": [say(`${OK}Content-Length: 5, 5\r\n\r\nhello`), "healthy"],
  "length-negative": [say(`${OK}Content-Length: -5\r\n\r\nhello`), "healthy"],
  "length-huge": [say(`${OK}Content-Length: ${"9".repeat(30)}\r\n\r\nhello`), "healthy"],
  "obs-fold": [say(`${OK}X: a\r\n b\r\nContent-Length: 5\r\n\r\nhello`), "healthy"],
  "nul-in-header": [say(`${OK}X: a\0b\r\nContent-Length: 5\r\n\r\nhello`), "http-malformed"],
  "space-before-colon": [say(`${OK}Content-Length : 5\r\n\r\nhello`), "healthy"],
  "bare-cr": [say(`${OK}X: a\rY: b\r\nContent-Length: 5\r\n\r\nhello`), "healthy"],
  "chunk-size-overflow": [
    say(`${OK}Transfer-Encoding: chunked\r\n\r\n${"F".repeat(20)}\r\nhello`),
    "body-malformed",
  ],
  "chunk-extensions-endless": [
    floodAfter(`${OK}Transfer-Encoding: chunked\r\n\r\n5;`, "a"),
    "body-malformed",
  ],
  "trailers-endless": [
    floodAfter(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n`, "X: a\r\n"),
    "body-malformed",
  ],
  "coding-unknown": [say(`${OK}Transfer-Encoding: xchunked\r\n\r\nhello`), "healthy"],
  "coding-packed": [say(`${OK}Transfer-Encoding: gzip\r\n\r\nhello`), "healthy"],
  "coding-empty": [say(`${OK}Transfer-Encoding:\r\n\r\nhello`), "healthy"],
  "coding-empty-and-length": [
    say(`${OK}Content-Length: 5\r\nTransfer-Encoding:\r\n\r\nhello`),
    "healthy",
  ],
  "coding-behind-chunked": [
    say(`${OK}Transfer-Encoding: chunked, gzip\r\n\r\n${CHUNKS}`),
    "healthy",
  ],
  "coding-before-chunked": [
    say(`${OK}Transfer-Encoding: gzip, chunked\r\n\r\n${CHUNKS}`),
    "healthy",
  ],
  "coding-with-parameter": [say(`${OK}Transfer-Encoding: chunked;a=b\r\n\r\n${CHUNKS}`), "healthy"],
  "coding-behind-tab": [say(`${OK}Transfer-Encoding: chunked\t\r\n\r\n${CHUNKS}`), "healthy"],
  "chunked-twice": [say(`${OK}Transfer-Encoding: chunked, chunked\r\n\r\n${CHUNKS}`), "healthy"],
  "chunked-in-two-headers": [
    say(`${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`),
    "healthy",
  ],
  "chunked-in-capitals": [say(`${OK}TRANSFER-ENCODING: Chunked\r\n\r\n${CHUNKS}`), "healthy"],
  identity: [say(`${OK}Transfer-Encoding: identity\r\n\r\nhello`), "healthy"],
  "identity-and-length": [
    say(`${OK}Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello`),
    "healthy",
  ],
  "length-and-gzip": [
    say(`${OK}Content-Length: 5\r\nTransfer-Encoding: gzip\r\n\r\nhello`),
    "healthy",
  ],
  "two-locations": [moved("Location: /a\r\nLocation: /b"), "http-malformed"],
  "two-equal-locations": [moved("Location: /a\r\nlocation: /a"), "redirect-loop"],
  "location-beside-empty-one": [moved("Location:\r\nLocation: /a"), "http-malformed"],
  "location-utf-8": [moved("Location: /\xd0\xbf"), "redirect-loop"],
  "location-latin-1": [moved("Location: /caf\xe9"), "redirect-loop"],
  "location-name-in-bytes": [moved("Location: http://\xd0\xbf.test/"), "http-closed"],
  "location-tab": [moved("Location: /a\tb"), "redirect-loop"],
  "location-control": [moved("Location: /a\x01b"), "redirect-loop"],
  "location-delete": [moved("Location: /a\x7fb"), "redirect-loop"],
  "location-2049": [moved(`Location: /${"a".repeat(2_048)}`), "redirect-loop"],
  "location-60000": [moved(`Location: /${"a".repeat(60_000)}`), "http-malformed"],
  "second-answer": [say(`${OK}Content-Length: 5\r\n\r\nhello${OK}\r\n`), "healthy"],
  "upgrade-101": [say("HTTP/1.1 101 Go\r\nUpgrade: x\r\n\r\n\x01\x02"), "http-malformed"],
  "close-in-head": [say(`${OK}Content-`), "http-closed"],
};
