import { BADGE_NAMES, badgePath, detailPath, LIST_PATH } from "./addresses.ts";
import { readUtf8 } from "./json-document.ts";
import { parseJson } from "../../model/errors.ts";
import { type CheckId, typedEntries } from "../checks.ts";
import { about, type CheckFinding, skip, toFinding, unless } from "../finding.ts";
import {
  type Client,
  describeAsk,
  type Exchange,
  findStatusProblems,
  hasStatus,
  ORIGIN,
} from "../http/client.ts";
import { checkHeaders, findCorsProblems } from "../http/headers.ts";

/** The same in every verification: a cache that keeps a 404 for longer than it may shows that by its Age in the second one. */
const ALWAYS_UNKNOWN = "no-such-service";

/** Error pages of stores and fronts are usually larger. */
const MAX_ERROR_BYTES = 1_024;

/** Requests a service that does not exist, without and with `Origin`. */
export function readMissing(client: Client, unknown: string): Promise<readonly Exchange[]> {
  const target = detailPath(unknown);
  return Promise.all([
    client.get(target),
    client.get(target, ORIGIN),
    client.get(detailPath(ALWAYS_UNKNOWN)),
  ]);
}

/** Checks these responses, and requests and checks the badges of a monitor that does not exist. */
export async function checkMissing(
  client: Client,
  exchanges: readonly Exchange[],
  unknown: string,
): Promise<readonly CheckFinding[]> {
  const badges = await client.getAll(BADGE_NAMES.map((name) => badgePath(unknown, name)));
  return [
    toFinding("missing.status", findStatusProblems(exchanges, [404]), "HTTP 404"),
    checkMissingBody([...exchanges, ...badges]),
    ...checkHeaders("missing", [...exchanges, ...badges]),
    toFinding("missing.badge", findStatusProblems(badges, [404]), "HTTP 404"),
  ];
}

function checkMissingBody(exchanges: readonly Exchange[]): CheckFinding {
  const answers = exchanges.filter((exchange) => hasStatus(exchange, 404));
  const [first] = answers;
  if (first === undefined) return skip("missing.body", "no response was HTTP 404");
  const problems = answers.flatMap(({ ask, body }) => {
    if (body.length > MAX_ERROR_BYTES) return [`${describeAsk(ask)}: ${body.length} bytes`];
    const isJson = parseJson(readUtf8(body) ?? "") !== undefined;
    return unless(isJson, `${describeAsk(ask)}: not JSON`);
  });
  return toFinding("missing.body", problems, `${first.body.length} bytes of JSON`);
}

/**
 * Checks that other methods are refused, and OPTIONS is not. PUT and DELETE name no service, so a deployment that is writable by mistake
 * is not damaged.
 */
export async function checkRefusals(
  client: Client,
  unknown: string,
): Promise<readonly CheckFinding[]> {
  const target = detailPath(unknown);
  const exchanges = await Promise.all([
    client.send({ method: "POST", target: LIST_PATH }),
    client.send({ method: "POST", target: LIST_PATH, headers: ORIGIN }),
    client.send({ method: "PUT", target }),
    client.send({ method: "DELETE", target, headers: ORIGIN }),
  ]);
  const problems = findStatusProblems(exchanges, [405]);
  return [
    toFinding("methods.refused", problems, "POST, PUT, DELETE: HTTP 405"),
    await checkOptions(client),
    ...checkHeaders("refused", exchanges),
  ];
}

/** With or without a body. Browsers accept any 2xx for a preflight. Source: Fetch Standard, "CORS-preflight fetch". */
const OPTIONS_STATUSES = [200, 204];

/** Checks OPTIONS, both as a preflight of a browser and without its headers. */
async function checkOptions(client: Client): Promise<CheckFinding> {
  const preflight = { ...ORIGIN, "Access-Control-Request-Method": "GET" };
  const exchanges = await Promise.all(
    [{}, preflight].map((headers) =>
      client.send({ method: "OPTIONS", target: LIST_PATH, headers }),
    ),
  );
  const unreadable = exchanges.flatMap((exchange) =>
    exchange.kind === "answer" && OPTIONS_STATUSES.includes(exchange.status)
      ? about(describeAsk(exchange.ask), findCorsProblems(exchange))
      : [],
  );
  const problems = [...findStatusProblems(exchanges, OPTIONS_STATUSES), ...unreadable];
  return toFinding("methods.options", problems, "200 or 204, readable by any origin");
}

type PathCheck = Extract<CheckId, `path.${string}`>;

/**
 * Request targets below the base address that are not paths of the API, but that a wrong mapping may serve. `SLUG` is replaced by a
 * service of the list, `UPPER` by the same in upper case.
 */
const TRICKY_PATHS: Readonly<Record<PathCheck, string>> = {
  "path.trailing-slash": "/api/v1/status/ /api/v1/status/SLUG/ /api/v1/",
  "path.upper-case": "/API/V1/STATUS /api/v1/Status /api/v1/status/UPPER",
  "path.encoded-dots":
    "/api/v1/%2e%2e/v1/status /api/v1/status/%2e%2e/status /api/v1/status/%2E/SLUG",
  "path.dot-segments": "/api/v1/../v1/status /api/v1/./status /api/v1/status/../status/SLUG",
  "path.double-slash": "//api/v1/status /api//v1/status /api/v1/status//SLUG",
  "path.suffix": "/api/v1/status.json /api/v1/status/SLUG.json /api/v1/status/index.json",
  "path.encoded-slash": "/api/v1%2fstatus /api/v1/status%2FSLUG",
  "path.null-byte": "/api/v1/status%00 /api/v1/status/SLUG%00 /api/v1/status/SLUG%00.json",
  "path.state":
    "/state.json.gz /.state/state.json.gz /.state/ /state/state.json.gz /.tmp/ /../.state/state.json.gz /api/../../.state/state.json.gz /%2e%2e/.state/state.json.gz",
};

/** The allowed statuses where not only 404 is, with their name in messages. */
const ALLOWED: Readonly<
  Partial<Record<PathCheck, readonly [statuses: readonly number[], words?: string]>>
> = {
  "path.null-byte": [[400, 403, 404, 410, 414, 422], "4xx"],
  // A server may refuse a path above the root as malformed. Source: RFC 9110, section 15.5.1.
  "path.state": [[400, 404]],
};

/** Checks that only the exact paths of the API are served. */
export function checkPaths(client: Client, slug: string): Promise<readonly CheckFinding[]> {
  const upper = slug.toUpperCase();
  return Promise.all(
    typedEntries(TRICKY_PATHS).map(async ([id, targets]) => {
      const [statuses, words] = ALLOWED[id] ?? [[404]];
      const filled = targets
        .split(" ")
        // A slug of digits has no upper case: such a target would name the service itself.
        .filter((target) => upper !== slug || !target.includes("UPPER"))
        .map((target) => target.replace("SLUG", slug).replace("UPPER", upper));
      const exchanges = await client.getAll(filled);
      return toFinding(id, findStatusProblems(exchanges, statuses, words), filled.join(" "));
    }),
  );
}
