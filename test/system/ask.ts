import { request } from "node:http";

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's own address: on Linux any of 127.0.0.0/8. */
  readonly from?: string;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  /** Lower-case names, in the order on the wire, one entry for each line. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  /** The lines of one name, joined. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  readonly bytes: Buffer;
}

/** Sends a request whose target is not tidied, on a connection of its own. Rejects when there is no answer within 15 s. */
export function ask(url: URL, target: string, options: AskOptions = {}): Promise<Answered> {
  const { method = "GET", headers = {}, from, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname: url.hostname,
        port: url.port,
        method,
        path: target,
        headers: { ...headers, connection: "close" },
        agent: false,
        signal: AbortSignal.timeout(15_000),
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
