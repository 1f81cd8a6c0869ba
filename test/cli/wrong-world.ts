import type { Behaviour } from "../simulated-internet/behaviour.ts";
import type { Workspace, WorkspaceService } from "./workspace.ts";

/** What answers in place of a critical endpoint whose entry is wrong. */
const WRONG: readonly Behaviour[] = [
  { kind: "page", status: 403, headers: { "cf-mitigated": "challenge" } },
  { kind: "redirect", to: "https://elsewhere.example/" },
  { kind: "page", body: "<title>Домен продаётся</title>" },
  { kind: "page", certificate: "wrong-host" },
  { kind: "page", certificate: "unknown-issuer" },
  { kind: "page", certificate: "self-signed" },
  { kind: "dns", dns: { kind: "nxdomain" } },
];

const SERVICES = 18;
const ENDPOINTS = 23;

/** 18 services with 23 wrong critical endpoints, each beside one that works. */
export function wrongWorld(): readonly WorkspaceService[] {
  return Array.from({ length: SERVICES }, (_, index) => ({
    slug: `s${index}`,
    endpoints: [
      { host: `wrong-${index}`, critical: true },
      ...(index + SERVICES < ENDPOINTS
        ? [{ host: `wrong-${index + SERVICES}`, critical: true }]
        : []),
      { host: `side-${index}` },
    ],
  }));
}

/** Gives each wrong endpoint its answer. */
export async function spoil(one: Workspace): Promise<void> {
  for (let index = 0; index < ENDPOINTS; index += 1)
    await one.set(`wrong-${index}`, WRONG[index % WRONG.length] ?? { kind: "page" });
}
