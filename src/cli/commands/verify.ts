import { MINUTE_MS, SECOND_MS } from "../../model/time.ts";
import { renderVerify } from "../output/verify-table.ts";
import { BURST_REQUESTS } from "../../verify/burst.ts";
import { connectSockets } from "../../verify/http/sockets.ts";
import { verify } from "../../verify/verify.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Call } from "../../setup/io.ts";
import type { Flags } from "../../setup/options/options.ts";
import { readPlainUrl } from "../../setup/options/schemas.ts";
import type { Parsed } from "../../setup/parse-options.ts";

const TOTAL_MS = 2 * MINUTE_MS;

/** At once, in case a publish came between the reads; and after every cache entry has expired. */
const SETTLE_WAITS_MS = [0, 61 * SECOND_MS];

/** `verify`: checks a live deployment against the specification. Exit code 1 if a check fails. Throws `UsageError`. */
export async function verifyCommand(
  { flags, problems, io, log }: Call<Flags<"verify" | "verifyJson">>,
  baseUrl: string,
): Promise<ExitCode> {
  const { url } = problems.settle({ url: parseBaseUrl(baseUrl) });
  const report = await verify(url, {
    ...flags,
    badgeId: flags.badge,
    connect: connectSockets,
    totalMs: TOTAL_MS,
    settleWaitsMs: SETTLE_WAITS_MS,
    burstRequests: BURST_REQUESTS,
    onSettle: (id, waitMs) => {
      if (waitMs > 0)
        log.warn(
          `${id}: documents disagree. A cache may be the reason, so they are read again in ${waitMs / SECOND_MS} s.`,
        );
    },
    wallMs: io.wallMs,
    signal: io.stop,
  });
  io.print(flags.isJson ? JSON.stringify(report, undefined, 2) : renderVerify(report, flags.isAll));
  return report.failed === 0 ? 0 : 1;
}

function parseBaseUrl(text: string): Parsed<URL> {
  const url = readPlainUrl(text);
  return url === undefined
    ? {
        problem: `${text}: give the address of the API, without credentials, query or fragment, such as https://status.example.`,
      }
    : { value: url };
}
