import type { Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import ipaddr from "ipaddr.js";
import { FREEZE_SHOWN_BYTES } from "../model/service/freeze.ts";
import type { ExperimentStep, StepAnswer } from "../model/service/interference.ts";
import { rowOf } from "../model/failures.ts";
import { mayBeInterference } from "../model/outcome-rules.ts";
import type { FailedOutcome, Outcome } from "../model/probe-outcome.ts";
import { findConnectTo, portFor, portOf } from "./network/connect-to.ts";
import { createProbe, type ProbeDependencies, type ProbeTarget } from "./probe.ts";
import { connectTcp, type TcpResult } from "./network/tcp.ts";
import { handshakeFailure, hashKey } from "./network/tls.ts";

/**
 * Names that are not blocked: one of no service at all (RFC 2606), which a box may cut where only listed names pass, and one that every
 * white list has. Source: docs/probe/experiment.md, "Neutral names".
 */
const NEUTRAL_NAMES = ["www.example.com", "ya.ru"] as const;

/** Prefix in which another address is a neighbour: no smaller one is routed on its own. */
const NEIGHBOUR_BITS = { ipv4: 24, ipv6: 48 } as const;

/** An endpoint that answered in the last run. */
export type Neighbour = ReturnType<typeof toNeighbours>[number];

/** An endpoint as a neighbour of others; none if it did not answer. */
export function toNeighbours(target: ProbeTarget, outcome: Outcome | undefined) {
  if (outcome?.kind !== "ok" && outcome?.kind !== "denied") return [];
  const { address, bodyBytes } = outcome.trace;
  if (address === undefined) return [];
  /** `isLarge`: its answer was longer than what filters let pass. */
  return [{ address, target, isLarge: bodyBytes >= FREEZE_SHOWN_BYTES }];
}

export interface KnownAddresses {
  readonly neighbours: readonly Neighbour[];
  /** The network that carries the traffic of an address. Slow, so only what failed is compared. */
  readonly networkOf: (address: string) => string;
  /** An address of the endpoint itself that a control, or the runner, saw earlier. */
  readonly seen?: string | undefined;
}

/**
 * The further connections after a failed probe, three at most: to the same address under neutral names; if no connection could be opened,
 * to a neighbour; if the name could not be resolved, to an address that it had elsewhere or earlier; if a body ended early, to a large
 * answer in the same network. Never throws, and sends nothing that could not come from a browser with a mistyped address.
 */
export type RunExperiment = (
  failure: FailedOutcome,
  known: KnownAddresses,
  signal: AbortSignal,
) => Promise<readonly ExperimentStep[]>;

/** A failure with where it was, and what it can be compared with. */
interface Case extends KnownAddresses, ProbeDependencies {
  readonly failure: FailedOutcome;
  readonly url: URL;
  readonly signal: AbortSignal;
}

export function createExperiment(deps: ProbeDependencies): RunExperiment {
  return async (failure, known, signal) => {
    const one = { ...deps, ...known, failure, url: new URL(failure.trace.url), signal };
    const steps = signal.aborted ? [] : await compare(one);
    // What the end of the run may have broken off says nothing.
    return signal.aborted ? [] : steps;
  };
}

async function compare(one: Case): Promise<readonly ExperimentStep[]> {
  const { stage, trace } = one.failure;
  if (stage === "dns") return askSeenAddress(one);
  const { address } = trace;
  if (address === undefined) return [];
  if (stage === "tcp") return askNeighbour(one, address);
  if (one.url.protocol !== "https:") return [];
  return stage === "body" ? askLargeNeighbour(one, address) : askNeutralNames(one, address);
}

function open({ limits, signal }: Case, address: string, port: number): Promise<TcpResult> {
  return connectTcp(address, port, limits.tcpMs, signal);
}

/** A name that is cut at its old address as well is compared with two neutral ones there: DNS and the handshake are two findings for one filter. */
async function askSeenAddress(one: Case): Promise<readonly ExperimentStep[]> {
  const { seen, url, connectTo, addressRules, failure } = one;
  if (seen === undefined || failure.trace.redirects > 0 || url.protocol !== "https:") return [];
  const target = findConnectTo(connectTo, seen, portOf(url));
  // A vantage may have said anything: it must not turn the runner against its own network.
  if (target === undefined && addressRules.refusalOf(seen) !== undefined) return [];
  const [address, port] = [target?.address ?? seen, target?.port ?? portOf(url)];
  const opened = await open(one, address, port);
  const answer = await askOver(opened, (socket) => verifyName(socket, url.hostname, one));
  if (answer === undefined) return [];
  const step = { kind: "seen-address", address: seen, answer } as const;
  if (answer !== "cut") return [step];
  const cut: FailedOutcome = { ...failure, stage: "tls", code: "tls-reset" };
  const there = { ...one, failure: cut, neighbours: [] };
  return [step, ...(await askNeutralNames(there, address, port))];
}

async function askNeighbour(one: Case, address: string): Promise<readonly ExperimentStep[]> {
  const neighbour = one.neighbours.find((other) => areNeighbours(other.address, address));
  if (neighbour === undefined) return [];
  const reached = await open(one, neighbour.address, portFor(one.connectTo, one.url));
  if (reached.kind === "skipped") return [];
  if (reached.kind === "connected") reached.socket.destroy();
  // A refusal comes from the host itself, so the network lets connections through.
  const isConnected = reached.kind === "connected" || reached.code === "tcp-refused";
  return [{ kind: "neighbour", address: neighbour.address, isConnected }];
}

/** No server sends so much under a name that it does not know, so another one in the same network has to. */
async function askLargeNeighbour(one: Case, address: string): Promise<readonly ExperimentStep[]> {
  const neighbour = findInNetwork(one, address, ({ isLarge }) => isLarge);
  if (neighbour === undefined) return [];
  const { target } = neighbour;
  const outcome = await createProbe(one)(target, 0, one.signal);
  if (outcome.kind === "skipped") return [];
  const isWhole = outcome.kind === "ok" && outcome.trace.bodyBytes >= FREEZE_SHOWN_BYTES;
  const answer = isWhole ? "answered" : mayBeInterference(outcome) ? "cut" : "unclear";
  return [{ kind: "large-neighbour", name: new URL(target.url).hostname, answer }];
}

/** Another name at another address of the network that carries the traffic of this one. */
function findInNetwork(
  { neighbours, networkOf, url }: Case,
  address: string,
  accept: (neighbour: Neighbour) => boolean,
): Neighbour | undefined {
  const network = networkOf(address);
  return neighbours.find(
    (one) =>
      accept(one) &&
      one.target.url.startsWith("https:") &&
      new URL(one.target.url).hostname !== url.hostname &&
      networkOf(one.address) === network,
  );
}

/** One name after the other, until one is answered: a filter may cut a neutral name too. */
async function askNeutralNames(
  one: Case,
  address: string,
  port = portFor(one.connectTo, one.url),
): Promise<readonly ExperimentStep[]> {
  const neighbour = findInNetwork(one, address, () => true);
  const nearby = neighbour === undefined ? [] : [new URL(neighbour.target.url).hostname];
  const steps: ExperimentStep[] = [];
  for (const name of [...NEUTRAL_NAMES, ...nearby]) {
    const opened = await open(one, address, port);
    const answer = await askOver(opened, (socket) => askUnder(name, socket, one));
    if (answer === undefined) break;
    steps.push({ kind: "neutral-name", name, answer });
    if (answer === "answered" || answer === "unreachable") break;
  }
  return steps;
}

/** Undefined: this machine could not connect, which proves nothing. */
async function askOver(
  opened: TcpResult,
  ask: (socket: Socket) => Promise<StepAnswer>,
): Promise<StepAnswer | undefined> {
  if (opened.kind === "skipped") return undefined;
  return opened.kind === "failed" ? "unreachable" : ask(opened.socket);
}

/**
 * Compares like with like: after a failure in TLS any answer of TLS counts, but an alert after an alert is the same answer; after a foreign
 * certificate only another one; after a failure in HTTP only an answer of HTTP.
 */
function askUnder(name: string, raw: Socket, { failure, limits }: Case): Promise<StepAnswer> {
  const { stage, code, trace } = failure;
  const isAboutTls = stage === "tls";
  const isAboutKey = rowOf(code).cause === "certificate";
  const isAlertMore = isAboutTls && !isAboutKey && code !== "tls-alert" && code !== "tls-version";
  const socket = connect({
    socket: raw,
    servername: name,
    ALPNProtocols: ["http/1.1"],
    // The certificate is that of another name, and nothing is read from the server.
    rejectUnauthorized: false,
  });
  let isSecured = false;
  const silence = (): StepAnswer => (isSecured || isAboutTls ? "cut" : "unclear");
  const budgetMs = limits.tlsMs + (isAboutTls ? 0 : limits.firstByteMs);
  return firstAnswer(socket, budgetMs, silence, (settle) => {
    socket.on("error", (error: NodeJS.ErrnoException) => {
      const ended = isSecured ? undefined : handshakeFailure(error);
      if (ended === "tls-alert" || ended === "tls-version")
        settle(isAlertMore ? "answered" : isAboutTls && !isAboutKey ? "cut" : "unclear");
      else settle(ended === "tls-malformed" ? "unclear" : silence());
    });
    socket.once("secureConnect", () => {
      isSecured = true;
      if (isAboutKey) settle(compareKeys(trace.certKey, hashKey(socket.getPeerX509Certificate())));
      else if (isAboutTls) settle("answered");
      else socket.write(`HEAD / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    });
    socket.once("data", () => settle("answered"));
  });
}

function compareKeys(failed: string | undefined, neutral: string | undefined): StepAnswer {
  if (failed === undefined || neutral === undefined) return "unclear";
  return failed === neutral ? "cut" : "answered";
}

/** A handshake under the right name: answered only with a certificate of that name, because the address may have a new owner. */
function verifyName(
  raw: Socket,
  servername: string,
  { roots, limits }: ProbeDependencies,
): Promise<StepAnswer> {
  const socket = connect({ socket: raw, servername, secureContext: roots.contexts.public });
  return firstAnswer(socket, limits.tlsMs, isCut, (settle) => {
    socket.on("error", (error: NodeJS.ErrnoException) => {
      const code = handshakeFailure(error);
      settle(code === "tls-reset" || code === "tls-closed" ? "cut" : "unclear");
    });
    socket.once("secureConnect", () => settle("answered"));
  });
}

function isCut(): StepAnswer {
  return "cut";
}

/** The first answer of a socket, which is then destroyed. @param silence the answer of one that closes, or says nothing in time. */
function firstAnswer(
  socket: TLSSocket,
  budgetMs: number,
  silence: () => StepAnswer,
  listen: (settle: (answer: StepAnswer) => void) => void,
): Promise<StepAnswer> {
  return new Promise((resolve) => {
    const settle = (answer: StepAnswer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => settle(silence()), budgetMs);
    socket.once("close", () => settle(silence()));
    listen(settle);
  });
}

/** Whether two different addresses are in one prefix. */
export function areNeighbours(one: string, other: string): boolean {
  if (one === other || !ipaddr.isValid(one) || !ipaddr.isValid(other)) return false;
  const [a, b] = [ipaddr.parse(one), ipaddr.parse(other)];
  return a.kind() === b.kind() && a.match(b, NEIGHBOUR_BITS[a.kind()]);
}
