import type { Client } from "../http/client.ts";
import { findStatusProblems } from "../http/http-exchange.ts";
import { type CheckFinding, toFinding } from "../finding.ts";
import type { CheckId } from "./checks.ts";

interface TrickyPaths {
  readonly id: CheckId;
  /** Request targets below the base address, with placeholders. */
  readonly targets: readonly string[];
  /** The allowed statuses. */
  readonly statuses: readonly number[];
}

const NOT_FOUND = [404];

/** A server may refuse a path above the root as malformed. Source: RFC 9110, section 15.5.1. */
const NOT_FOUND_OR_MALFORMED = [400, 404];

/**
 * Request targets that are not paths of the API, but that a wrong mapping may serve. `SLUG` is replaced by a service of the list,
 * `UPPER` by the same in upper case.
 */
const TRICKY_PATHS: readonly TrickyPaths[] = [
  {
    id: "path.trailing-slash",
    targets: ["/api/v1/status/", "/api/v1/status/SLUG/", "/api/v1/"],
    statuses: NOT_FOUND,
  },
  {
    id: "path.upper-case",
    targets: ["/API/V1/STATUS", "/api/v1/Status", "/api/v1/status/UPPER"],
    statuses: NOT_FOUND,
  },
  {
    id: "path.encoded-dots",
    targets: [
      "/api/v1/%2e%2e/v1/status",
      "/api/v1/status/%2e%2e/status",
      "/api/v1/status/%2E/SLUG",
    ],
    statuses: NOT_FOUND,
  },
  {
    id: "path.dot-segments",
    targets: ["/api/v1/../v1/status", "/api/v1/./status", "/api/v1/status/../status/SLUG"],
    statuses: NOT_FOUND,
  },
  {
    id: "path.double-slash",
    targets: ["//api/v1/status", "/api//v1/status", "/api/v1/status//SLUG"],
    statuses: NOT_FOUND,
  },
  {
    id: "path.suffix",
    targets: ["/api/v1/status.json", "/api/v1/status/SLUG.json", "/api/v1/status/index.json"],
    statuses: NOT_FOUND,
  },
  {
    id: "path.encoded-slash",
    targets: ["/api/v1%2fstatus", "/api/v1/status%2FSLUG"],
    statuses: NOT_FOUND,
  },
  {
    id: "path.null-byte",
    targets: ["/api/v1/status%00", "/api/v1/status/SLUG%00", "/api/v1/status/SLUG%00.json"],
    statuses: [400, 403, 404, 410, 414, 422],
  },
  {
    id: "path.state",
    targets: [
      "/state.json.gz",
      "/.state/state.json.gz",
      "/.state/",
      "/state/state.json.gz",
      "/.tmp/",
      "/../.state/state.json.gz",
      "/api/../../.state/state.json.gz",
      "/%2e%2e/.state/state.json.gz",
    ],
    statuses: NOT_FOUND_OR_MALFORMED,
  },
];

/** The targets for a service. A slug of digits has no upper case: such a target would name the service itself. */
function fillIn(targets: readonly string[], slug: string): readonly string[] {
  const upper = slug.toUpperCase();
  return targets
    .filter((target) => upper !== slug || !target.includes("UPPER"))
    .map((target) => target.replace("SLUG", slug).replace("UPPER", upper));
}

/** Checks that only the exact paths of the API are served. */
export function checkPaths(client: Client, slug: string): Promise<readonly CheckFinding[]> {
  return Promise.all(
    TRICKY_PATHS.map(async ({ id, targets: templates, statuses }) => {
      const targets = fillIn(templates, slug);
      const exchanges = await Promise.all(
        targets.map((target) => client.send({ method: "GET", target })),
      );
      const problems = findStatusProblems(
        exchanges,
        statuses,
        statuses.length > 2 ? "4xx" : undefined,
      );
      return toFinding(id, problems, targets.join(" "));
    }),
  );
}
