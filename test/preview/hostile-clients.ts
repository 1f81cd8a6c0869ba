/** A hostile client sends pieces with short pauses; `null` closes its sending side. */
export interface HostileClient {
  readonly what: string;
  readonly sends: readonly (string | null)[];
  /** The statuses of all responses, in order; the server closes after them. */
  readonly statuses: readonly number[];
}

/** Short enough for a test, and long enough for immediate bytes even on a busy machine. */
export const HOSTILE_TIMES = {
  headMs: 2_000,
  bodyMs: 2_000,
  checkMs: 50,
  keepAliveMs: 3_000,
  lingerMs: 500,
};

/**
 * Clients that behave unlike any honest program. The server answers POST of the target with the status `good`, and other
 * methods except OPTIONS with 405. Time-outs end a client that sends pieces for a long time.
 */
export function hostileClients(target: string, good: number): readonly HostileClient[] {
  const post = `POST ${target} HTTP/1.1\r\nHost: a\r\n`;
  const report = `${post}Content-Length: 0\r\n\r\n`;
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
  const drip = (piece: string): readonly string[] => Array<string>(400).fill(piece);
  const client = (what: string, sends: HostileClient["sends"], ...statuses: number[]) => ({
    what,
    sends,
    statuses,
  });
  return [
    client("sends nothing at all", []),
    client("closes its side at once", [null]),
    client("closes its side within the head", [post, null], 400),
    client("sends a single byte", ["P"], 408),
    client("drips a head", [post, ...drip("x")], 408),
    client("sends only blank lines", drip("\r\n"), 408),
    client("sends two requests at once", [report + report], good, good),
    client("sends a request, then garbage", [`${report}\0\x01\r\n\r\n`], good, 400),
    client("sends a request, then half a one", [`${report}POS`], good, 408),
    client("sends a request, then blank lines", [report, ...drip("\r\n")], good),
    client(
      "declares two lengths",
      [`${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
      400,
    ),
    client("declares an invalid length", [`${post}Content-Length: -1\r\n\r\n`], 400),
    client(
      "declares a length and chunks",
      [`${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      400,
    ),
    client("sends a chunk without a size", [`${chunked}zz\r\n\r\n`], 400),
    client("sends a chunk that is cut short", [`${chunked}5\r\nab`, null], 400),
    client("ends lines without a carriage return", [`POST ${target} HTTP/1.1\nHost: a\n\n`], 400),
    client("sends a null byte in the head", [`${post}X: a\0b\r\n\r\n`], 400),
    client("sends a null byte in the method", ["P\0ST / HTTP/1.1\r\n\r\n"], 400),
    client("sends a space before a colon", [`POST ${target} HTTP/1.1\r\nHost : a\r\n\r\n`], 400),
    client("folds a line of the head", [`${post} folded\r\n\r\n`], 400),
    client("sends a line of ten megabytes", [`${post}X: ${"x".repeat(10_000_000)}`], 431),
    client("sends a target of ten megabytes", [`POST /${"x".repeat(10_000_000)}`], 431),
    client("begins TLS", ["\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"], 400),
    client("begins HTTP/2", ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"], 400),
    client("speaks HTTP/0.9", ["GET /\r\n\r\n"], 400),
    client("speaks HTTP/3.0", [`POST ${target} HTTP/3.0\r\n\r\n`], 400),
    client("requests a tunnel", ["CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n"], 405),
    client(
      "requests a tunnel after a request",
      [`${report}CONNECT a:1 HTTP/1.1\r\n\r\n`],
      good,
      405,
    ),
    client(
      "requests a web socket",
      [`${post}Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n`],
      good,
    ),
    client("sends an unknown expectation", [`${post}Expect: x\r\nContent-Length: 0\r\n\r\n`], good),
    client(
      "waits for 100 Continue",
      [`${post}Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n`, "0\r\n\r\n"],
      100,
      good,
    ),
    client("uses an unknown method", [`FOO ${target} HTTP/1.1\r\nHost: a\r\n\r\n`], 405),
    client(
      "uses a method of another protocol",
      [`DESCRIBE ${target} HTTP/1.1\r\nHost: a\r\n\r\n`],
      405,
    ),
    client(
      "uses an unknown method in pieces",
      ["PO", `X ${target} HTTP/1.1\r\nHost: a\r\n\r\n`],
      405,
    ),
    client(
      "uses an unknown method after a request",
      [`${report}FOO ${target} HTTP/1.1\r\n\r\n`],
      good,
      405,
    ),
    client("sends TRACE", [`TRACE ${target} HTTP/1.1\r\nHost: a\r\n\r\n`], 405),
  ];
}
