import { request } from "node:http";
import { request as requestOverTls } from "node:https";
import { FRONT_HOST, getFrontCertificate } from "./front-certificate.ts";
import { PATIENCE_MS } from "../patience.ts";

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's own address: on Linux, any in 127.0.0.0/8. */
  readonly from?: string;
  /** The address to connect to, instead of that of the URL's host. */
  readonly to?: string;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  /** Lower-case names in wire order, one entry per line. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  /** The lines of one name, joined. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  readonly bytes: Buffer;
}

/**
 * Sends a request with an unnormalized target on a new connection, to `localhost` over IPv4. Over TLS, only the certificate of the
 * fronts is trusted. Rejects if there is no answer within 15 s.
 */
export async function ask(url: URL, target: string, options: AskOptions = {}): Promise<Answered> {
  const { method = "GET", headers = {}, from, body } = options;
  const host = options.to ?? (url.hostname === FRONT_HOST ? "127.0.0.1" : url.hostname);
  const isSecure = url.protocol === "https:";
  const tls = isSecure
    ? { ca: (await getFrontCertificate()).certificatePem, servername: url.hostname }
    : {};
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? requestOverTls : request)(
      {
        ...tls,
        host,
        port: url.port,
        method,
        path: target,
        headers: { Host: url.host, ...headers, connection: "close" },
        agent: false,
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(from === undefined ? {} : { localAddress: from }),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: answer.statusCode ?? 0,
            bytes,
            body: bytes.toString(),
            ...readHeaders(answer.rawHeaders),
          });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

function readHeaders(raw: readonly string[]): Pick<Answered, "lines" | "header"> {
  const lines = raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? ""]] : [],
  );
  return {
    lines,
    header: (name) => {
      const values = lines.filter(([one]) => one === name).map(([, value]) => value);
      return values.length === 0 ? undefined : values.join(", ");
    },
  };
}
