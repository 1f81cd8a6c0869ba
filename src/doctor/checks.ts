import { type CheckFinding, warn, ok, type Check, fail } from "./check.ts";
import type { Catalogue } from "../model/service/catalogue.ts";
import { SECOND_MS } from "../model/time.ts";
import type { Resolve } from "../probe/network/dns.ts";
import { zoneOf } from "../model/host-name.ts";
import { type ReadCatalogue, nameCatalogue } from "../setup/files/catalogue-file.ts";
import { type AnchorTries, isUnreachable, probeAnchors } from "../probe/anchors.ts";
import { createPool, PER_HOST } from "../probe/pool.ts";
import type { Probe } from "../probe/probe.ts";
import { describeOutcome } from "../cli/output/outcome-text.ts";
import type { Flags } from "../setup/options/options.ts";
import { SHIPPED_TRUTH } from "../setup/shipped-files.ts";
import { readTruth } from "../setup/files/truth-file.ts";

const MAX_LOOKUP_MS = 4 * SECOND_MS;

/** A name that cannot exist. Source: RFC 2606. */
const NO_NAME = "status-snapshot-doctor.invalid";

/** The catalogue, which is valid by now, its overlay, and the trust that its endpoints need. */
export function checkCatalogue(
  flags: Flags<"catalogue" | "probe">,
  read: ReadCatalogue,
): readonly Check[] {
  const { services } = read.catalogue;
  const { catalogueOverlay: overlay, extraCa } = flags;
  return [
    { name: "catalogue", ...ok(`${nameCatalogue(flags)}: ${services.length} services`) },
    ...(overlay === undefined ? [] : [{ name: "overlay", ...judgeOverlay(overlay, read) }]),
    { name: "trust", ...judgeTrust(read.catalogue, extraCa) },
  ];
}

/** A truth file of the operator's own: a run goes on without one that it cannot use. */
export async function checkTruth(flags: Flags<"truth">): Promise<readonly Check[]> {
  if (flags.truth === SHIPPED_TRUTH) return [];
  const read = await readTruth(flags);
  const finding = "problem" in read ? warn(read.problem) : ok(`${read.value.length} entries`);
  return [{ name: "truth", ...finding }];
}

/** The effect of an overlay, and a warning of entries without effect, perhaps since an upgrade. */
function judgeOverlay(file: string, { changes, warnings }: ReadCatalogue): CheckFinding {
  const [warning, ...more] = warnings;
  if (warning !== undefined) {
    const rest = more.length === 0 ? "" : ` ${more.length} more: catalogue check lists them.`;
    return warn(warning + rest);
  }
  const count = (wanted: string): number => changes.filter(({ kind }) => kind === wanted).length;
  return ok(
    `${file}: ${count("changed")} changed, ${count("added")} added, ${count("removed")} removed`,
  );
}

/** Without the national root, endpoints with `trust: national` are probed, but their answers are not authenticated. */
function judgeTrust({ services }: Catalogue, extraCa: string | undefined): CheckFinding {
  const endpoints = services.flatMap((service) => service.endpoints);
  const national = endpoints.filter(({ trust }) => trust === "national");
  return national.length === 0 || extraCa !== undefined
    ? ok(extraCa ?? "no endpoint needs a root of its own")
    : warn(
        `${national.length} endpoints may show a certificate of the national root. Name the file of that root with --extra-ca.`,
      );
}

/** Whether the resolver answers for a real name, and does not for one that cannot exist. */
export async function checkResolver(
  { anchors }: Catalogue,
  resolve: Resolve,
): Promise<readonly Check[]> {
  // An anchor may be an address, which needs no resolver.
  const named = anchors.find(({ url }) => zoneOf(url) !== undefined);
  const host = new URL(named?.url ?? "https://ya.ru/").hostname;
  const never = new AbortController().signal;
  const [real, bogus] = await Promise.all([
    resolve(host, 4, MAX_LOOKUP_MS, never),
    resolve(NO_NAME, 4, MAX_LOOKUP_MS, never),
  ]);
  const lookup =
    real.kind === "records"
      ? ok(`${host} is ${real.records.join(", ")}`)
      : fail(`${host}: ${real.code}. Name a resolver that works with --dns.`);
  return [
    { name: "resolver", ...lookup },
    { name: "resolver honesty", ...judgeHonesty(bogus) },
  ];
}

/** Only an answer that the name does not exist proves honesty; a failed query proves nothing. */
function judgeHonesty(bogus: Awaited<ReturnType<Resolve>>): CheckFinding {
  if (bogus.kind === "records")
    return fail(
      `the resolver gave ${bogus.records.join(", ")} for a name that cannot exist. Name another resolver with --dns.`,
    );
  return bogus.code === "dns-nxdomain" || bogus.code === "dns-no-answer"
    ? ok("a name that cannot exist has no address")
    : warn(`unknown: the query for a name that cannot exist failed (${bogus.code}).`);
}

/**
 * Probes each anchor as a run does. Without a dead anchor, runs cannot prove that its network is reachable. If all are dead, this machine
 * is offline, or the network options are wrong.
 */
export async function checkAnchors(
  { anchors }: Catalogue,
  probe: Probe,
  stop: AbortSignal,
): Promise<Check> {
  const effects = { probe, pool: createPool({ concurrency: 16, perHost: PER_HOST }) };
  const round = await probeAnchors("start", anchors, effects, stop);
  return { name: "anchors", ...judgeAnchors(round.anchors.filter(isUnreachable), anchors.length) };
}

function judgeAnchors(dead: readonly AnchorTries[], count: number): CheckFinding {
  if (dead.length === 0) return ok(`all ${count} anchors answer`);
  const which = dead.map(describeDead).join("; ");
  return dead.length === count
    ? fail(
        `no anchor answers: a run from here would be offline (${which}). Check the network connection of this machine, and --dns.`,
      )
    : warn(
        `${dead.length} of ${count} anchors do not answer (${which}). If that lasts, put others of the same networks into the catalogue.`,
      );
}

function describeDead({ anchor, tries: [first] }: AnchorTries): string {
  return `${anchor.url}: ${first === undefined ? "not tried" : describeOutcome(first)}`;
}
