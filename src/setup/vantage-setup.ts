import { readFile } from "node:fs/promises";
import type { CryptoKey } from "jose";
import type { ObjectStore } from "../model/store.ts";
import { withAddress } from "../probe/network/connect-to.ts";
import { buildProbeDependencies } from "../probe/probe-config.ts";
import { createProbe } from "../probe/probe.ts";
import { openStore } from "../store/open.ts";
import type { AnswerDependencies } from "../vantages/answer-ask.ts";
import { importPrivateKey } from "../vantages/evidence-codec.ts";
import type { Io } from "./io.ts";
import {
  collectProblems,
  ifGiven,
  parseConcurrency,
  parseLogMode,
  type Parsed,
} from "./parse-options.ts";
import { DEFAULT_ANCHORS, readAnchors } from "./anchor-options.ts";
import { type ProbeFlags, readProbeConfig } from "./read-probe-config.ts";

/** Options of `vantage` and `vantage watch`. */
export interface VantageFlags extends ProbeFlags {
  readonly ask?: string;
  readonly evidence?: string;
  readonly id?: string;
  readonly key?: string;
  readonly anchor?: readonly string[];
  readonly unlistedAnchor?: readonly string[];
  readonly concurrency: string;
  readonly log?: string;
}

/** The checked settings of a vantage. */
export interface VantageSetup extends Pick<
  AnswerDependencies,
  "vantageId" | "probe" | "probeAt" | "anchors" | "unlisted"
> {
  readonly askStore: ObjectStore;
  readonly evidenceStore: ObjectStore;
  readonly privateKey: CryptoKey;
  readonly concurrency: number;
}

/** Parses the options of a vantage. Throws one `UsageError` with every problem. */
export async function prepareVantage(flags: VantageFlags, io: Io): Promise<VantageSetup> {
  const { unwrap, throwIfAny } = collectProblems();
  const ask = unwrap(need("--ask", "the store in which the runner asks", flags.ask));
  const vantageId = unwrap(need("--id", "the name of this vantage", flags.id));
  const key = unwrap(need("--key", "the file of its private key", flags.key));
  unwrap(ifGiven(vantageId, checkId));
  const privateKey = key === undefined ? undefined : unwrap(await readKey(key));
  const askStore = unwrap(await open(ask, "ask"));
  const evidenceStore = unwrap(await open(flags.evidence ?? ask, "evidence"));
  const anchors = unwrap(readAnchors("--anchor", flags.anchor ?? DEFAULT_ANCHORS));
  const unlisted = unwrap(readAnchors("--unlisted-anchor", flags.unlistedAnchor ?? []));
  const concurrency = unwrap(parseConcurrency("--concurrency", flags.concurrency));
  const config = unwrap(await readProbeConfig(flags, io));
  unwrap(ifGiven(flags.log, parseLogMode));
  throwIfAny();
  if (!vantageId || !privateKey || !askStore || !evidenceStore || !config)
    throw new TypeError("a setting without a value and without a problem");
  if (!anchors || !unlisted || concurrency === undefined)
    throw new TypeError("a setting without a value and without a problem");
  const dependencies = buildProbeDependencies(config);
  return {
    vantageId,
    privateKey,
    askStore,
    evidenceStore,
    anchors,
    unlisted,
    concurrency,
    probe: createProbe(dependencies),
    probeAt: (endpoint, address, signal) => {
      // The ask is only as trustworthy as its store, so its addresses have to pass the guard like those of a resolver.
      if (dependencies.addressRules.refusalOf(address) !== undefined) return undefined;
      const connectTo = withAddress(dependencies.connectTo, new URL(endpoint.url), address);
      return createProbe({ ...dependencies, connectTo })(endpoint, 0, signal);
    },
  };
}

function need(option: string, what: string, given: string | undefined): Parsed<string> {
  return given === undefined
    ? { problem: `${option} is missing: give ${what}.` }
    : { value: given };
}

function checkId(id: string): Parsed<string> {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/u.test(id)
    ? { value: id }
    : { problem: `--id ${id}: write it as in vantages.yaml, such as fra or spb-mobile.` };
}

async function open(
  url: string | undefined,
  role: "ask" | "evidence",
): Promise<Parsed<ObjectStore | undefined>> {
  if (url === undefined) return { value: undefined };
  const opened = await openStore(url, { role });
  return opened.kind === "refused" ? { problem: opened.message } : { value: opened.store };
}

async function readKey(file: string): Promise<Parsed<CryptoKey>> {
  try {
    return { value: await importPrivateKey(JSON.parse(await readFile(file, "utf8"))) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `--key ${file}: ${why}. Make one with \`vantage keygen --key ${file}\`.` };
  }
}
