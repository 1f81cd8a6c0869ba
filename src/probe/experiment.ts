import { isIPv4 } from "node:net";
import type { Socket } from "node:net";
import { connect } from "node:tls";
import ipaddr from "ipaddr.js";
import type { ExperimentStep } from "../model/service/interference.ts";
import type { FailedOutcome, Stage } from "../model/probe-outcome.ts";
import { type ConnectToRules, findConnectTo, portOf } from "./network/connect-to.ts";
import type { AddressRules } from "./network/dns.ts";
import type { ProbeLimits } from "./limits.ts";
import { connectTcp } from "./network/tcp.ts";
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

/** Addresses that a failure can be compared with. */
export interface KnownAddresses {
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

export function createExperiment({
  connectTo,
  addressRules,
  roots,
  limits,
}: ExperimentDependencies): RunExperiment {
  return async ({ stage, code, trace }, { neighbours, seen }, signal) => {
    const { address } = trace;
    const url = new URL(trace.url);
    const asked = portOf(url);
    if (stage === "dns") {
      if (seen === undefined || trace.redirects > 0 || url.protocol !== "https:") return [];
      const target = findConnectTo(connectTo, seen, asked);
      // A vantage may have said anything: it must not turn the runner against its own network.
      if (target === undefined && addressRules.refusalOf(seen) !== undefined) return [];
      const opened = await connectTcp(
        target?.address ?? seen,
        target?.port ?? asked,
        limits.tcpMs,
        signal,
      );
      if (opened.kind === "skipped") return [];
      if (opened.kind === "failed")
        return [{ kind: "seen-address", address: seen, answer: "unreachable" }];
      const answer = await verifyName(opened.socket, url.hostname, roots, limits);
      return [{ kind: "seen-address", address: seen, answer }];
    }
    if (address === undefined) return [];
    const port = findConnectTo(connectTo, url.hostname, asked)?.port ?? asked;
    if (stage === "tcp") {
      const neighbour = neighbours.find((one) => areNeighbours(one, address));
      if (neighbour === undefined) return [];
      const reached = await connectTcp(neighbour, port, limits.tcpMs, signal);
      if (reached.kind === "skipped") return [];
      if (reached.kind === "connected") reached.socket.destroy();
      // A refusal comes from the host itself, so the network lets connections through.
      const isConnected = reached.kind === "connected" || reached.code === "tcp-refused";
      return [{ kind: "neighbour", address: neighbour, isConnected }];
    }
    // A body that stalls after some kilobytes has no counterpart under a name that the server does not know.
    if (url.protocol !== "https:" || code === "body-stall") return [];
    const opened = await connectTcp(address, port, limits.tcpMs, signal);
    if (opened.kind === "skipped") return [];
    if (opened.kind === "failed") return [{ kind: "neutral-name", answer: "unreachable" }];
    const answer = await askUnderNeutralName(opened.socket, stage, limits);
    return [{ kind: "neutral-name", answer }];
  };
}

type NeutralAnswer = Extract<ExperimentStep, { kind: "neutral-name" }>["answer"];

/**
 * Compares like with like: after a failure in the handshake any answer of TLS counts, an alert included; after one in HTTP only an
 * answer of HTTP does.
 */
function askUnderNeutralName(
  raw: Socket,
  stage: Stage,
  limits: ExperimentDependencies["limits"],
): Promise<NeutralAnswer> {
  const isAboutTls = stage === "tls";
  return new Promise((resolve) => {
    const socket = connect({
      socket: raw,
      servername: NEUTRAL_NAME,
      ALPNProtocols: ["http/1.1"],
      // The certificate is that of another name, and nothing is read from the server.
      rejectUnauthorized: false,
    });
    let isSecured = false;
    const settle = (answer: NeutralAnswer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const end = (): void => settle(isSecured || isAboutTls ? "cut" : "unclear");
    const budgetMs = limits.tlsMs + (isAboutTls ? 0 : limits.firstByteMs);
    const timer = setTimeout(end, budgetMs);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      const failure = isSecured ? undefined : handshakeFailure(error);
      if (failure === "tls-alert" || failure === "tls-version")
        settle(isAboutTls ? "answered" : "unclear");
      else if (failure === "tls-malformed") settle("unclear");
      else end();
    });
    socket.once("close", end);
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
  { contexts }: ExperimentDependencies["roots"],
  { tlsMs }: ExperimentDependencies["limits"],
): Promise<NeutralAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ socket: raw, servername, secureContext: contexts.public });
    const settle = (answer: NeutralAnswer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => settle("cut"), tlsMs);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      const code = handshakeFailure(error);
      settle(code === "tls-reset" || code === "tls-closed" ? "cut" : "unclear");
    });
    socket.once("close", () => settle("cut"));
    socket.once("secureConnect", () => settle("answered"));
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
