import { isIPv4, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import ipaddr from "ipaddr.js";
import type { ExperimentStep } from "../model/service/interference.ts";
import type { FailedOutcome, Stage } from "../model/probe-outcome.ts";
import { type ConnectToRules, findConnectTo, portOf } from "./network/connect-to.ts";
import type { AddressRules } from "./network/dns.ts";
import type { ProbeLimits } from "./limits.ts";
import { connectTcp, type TcpResult } from "./network/tcp.ts";
import { handshakeFailure, type TrustRoots } from "./network/tls.ts";

/** A name that is not blocked, and of no service of the catalogue. Source: RFC 2606. */
const NEUTRAL_NAME = "www.example.com";

/** Prefix in which another address is a neighbour: no smaller one is routed on its own. */
const NEIGHBOUR_BITS = { ipv4: 24, ipv6: 48 } as const;

export interface ExperimentDependencies {
  readonly connectTo: ConnectToRules;
  readonly addressRules: Pick<AddressRules, "refusalOf">;
  readonly roots: Pick<TrustRoots, "contexts">;
  readonly limits: Pick<ProbeLimits, "tcpMs" | "tlsMs" | "firstByteMs">;
}

interface KnownAddresses {
  /** Addresses that other endpoints connected to in the last run. */
  readonly neighbours: readonly string[];
  /** An address of the endpoint itself that a control, or the runner, saw earlier. */
  readonly seen?: string | undefined;
}

/**
 * The further connections after a failed probe, two at most: to the same address under a neutral name; if no connection could be
 * opened, to a neighbour; if the name could not be resolved, to an address that it had elsewhere or earlier. Never throws, and sends
 * nothing that could not come from a browser with a mistyped address.
 */
export type RunExperiment = (
  outcome: FailedOutcome,
  known: KnownAddresses,
  signal: AbortSignal,
) => Promise<readonly ExperimentStep[]>;

export function createExperiment(deps: ExperimentDependencies): RunExperiment {
  const { connectTo, addressRules, limits } = deps;
  return async ({ stage, code, trace }, { neighbours, seen }, signal) => {
    const { address } = trace;
    const url = new URL(trace.url);
    const open = (to: string, port: number) => connectTcp(to, port, limits.tcpMs, signal);
    if (stage === "dns") {
      if (seen === undefined || trace.redirects > 0 || url.protocol !== "https:") return [];
      const target = findConnectTo(connectTo, seen, portOf(url));
      // A vantage may have said anything: it must not turn the runner against its own network.
      if (target === undefined && addressRules.refusalOf(seen) !== undefined) return [];
      const opened = await open(target?.address ?? seen, target?.port ?? portOf(url));
      const answer = await askOver(opened, (socket) => verifyName(socket, url.hostname, deps));
      return answer === undefined ? [] : [{ kind: "seen-address", address: seen, answer }];
    }
    if (address === undefined) return [];
    const port = findConnectTo(connectTo, url.hostname, portOf(url))?.port ?? portOf(url);
    if (stage === "tcp") {
      const neighbour = neighbours.find((one) => areNeighbours(one, address));
      if (neighbour === undefined) return [];
      const reached = await open(neighbour, port);
      if (reached.kind === "skipped") return [];
      if (reached.kind === "connected") reached.socket.destroy();
      // A refusal comes from the host itself, so the network lets connections through.
      const isConnected = reached.kind === "connected" || reached.code === "tcp-refused";
      return [{ kind: "neighbour", address: neighbour, isConnected }];
    }
    // A body that stalls after some kilobytes has no counterpart under a name that the server does not know.
    if (url.protocol !== "https:" || code === "body-stall") return [];
    const ask = (socket: Socket) => askUnderNeutralName(socket, stage, limits);
    const answer = await askOver(await open(address, port), ask);
    return answer === undefined ? [] : [{ kind: "neutral-name", answer }];
  };
}

type Answer = Extract<ExperimentStep, { kind: "neutral-name" }>["answer"];

/** Undefined: this machine could not connect, which proves nothing. */
async function askOver(
  opened: TcpResult,
  ask: (socket: Socket) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (opened.kind === "skipped") return undefined;
  return opened.kind === "failed" ? "unreachable" : ask(opened.socket);
}

/** Compares like with like: after a failure in TLS any answer of TLS counts, an alert included; after one in HTTP only one of HTTP. */
function askUnderNeutralName(
  raw: Socket,
  stage: Stage,
  { tlsMs, firstByteMs }: ExperimentDependencies["limits"],
): Promise<Answer> {
  const isAboutTls = stage === "tls";
  const socket = connect({
    socket: raw,
    servername: NEUTRAL_NAME,
    ALPNProtocols: ["http/1.1"],
    // The certificate is that of another name, and nothing is read from the server.
    rejectUnauthorized: false,
  });
  let isSecured = false;
  const silence = (): Answer => (isSecured || isAboutTls ? "cut" : "unclear");
  return firstAnswer(socket, tlsMs + (isAboutTls ? 0 : firstByteMs), silence, (settle) => {
    socket.on("error", (error: NodeJS.ErrnoException) => {
      const failure = isSecured ? undefined : handshakeFailure(error);
      if (failure === "tls-alert" || failure === "tls-version")
        settle(isAboutTls ? "answered" : "unclear");
      else settle(failure === "tls-malformed" ? "unclear" : silence());
    });
    socket.once("secureConnect", () => {
      isSecured = true;
      if (isAboutTls) settle("answered");
      else socket.write(`HEAD / HTTP/1.1\r\nHost: ${NEUTRAL_NAME}\r\nConnection: close\r\n\r\n`);
    });
    socket.once("data", () => settle("answered"));
  });
}

/** A handshake under the right name: answered only with a certificate of that name, because the address may have a new owner. */
function verifyName(
  raw: Socket,
  servername: string,
  { roots, limits }: ExperimentDependencies,
): Promise<Answer> {
  const socket = connect({ socket: raw, servername, secureContext: roots.contexts.public });
  return firstAnswer(socket, limits.tlsMs, isCut, (settle) => {
    socket.on("error", (error: NodeJS.ErrnoException) => {
      const code = handshakeFailure(error);
      settle(code === "tls-reset" || code === "tls-closed" ? "cut" : "unclear");
    });
    socket.once("secureConnect", () => settle("answered"));
  });
}

function isCut(): Answer {
  return "cut";
}

/** The first answer of a socket, which is then destroyed. @param silence the answer of one that closes, or says nothing in time. */
function firstAnswer(
  socket: TLSSocket,
  budgetMs: number,
  silence: () => Answer,
  listen: (settle: (answer: Answer) => void) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    const settle = (answer: Answer): void => {
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
  if (one === other || isIPv4(one) !== isIPv4(other)) return false;
  if (!ipaddr.isValid(one) || !ipaddr.isValid(other)) return false;
  const [a, b] = [ipaddr.parse(one), ipaddr.parse(other)];
  const bits = NEIGHBOUR_BITS[a.kind()];
  return a.kind() === b.kind() && a.match(b, bits);
}
