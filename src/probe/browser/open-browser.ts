import type { Socket } from "node:net";
import type * as wreq from "wreq-js";
import { createSignal } from "../../model/stopping.ts";
import { type ProbeLimits, SERVICE_LIMITS } from "../limits.ts";
import { mayBeFrozen } from "../network/http.ts";
import { connectTcp } from "../network/tcp.ts";
import { createPool } from "../pool.ts";
import type { AskBrowser, BrowserOpinion, BrowserTarget } from "./browser-opinion.ts";
import { openTunnel, type Tunnel, type TunnelProgress } from "./tunnel.ts";

/** The part of the package that is used. */
export type BrowserPackage = Pick<typeof wreq, "createTransport" | "fetch">;

/** The browser whose ClientHello is sent: the newest that the package knows of the one that most people in Russia use. */
const BROWSER_PROFILE = { browser: "chrome_149", os: "windows" } as const;

/** Filters let 12–40 KB of a connection pass before they freeze it. */
const MIN_BROWSER_BYTES = 70_000;

/** So many bytes below TLS have brought as much of a body: headers of records and frames add a few percent. */
const ENOUGH_RAW_BYTES = 75_000;

/** Certificates and what else comes before an answer: no server needs as much. */
const OVERHEAD_BYTES = 128 * 1024;

const TRANSPORT = {
  ...BROWSER_PROFILE,
  // The package cannot be given the roots of this program, and does not fetch a missing intermediate certificate as browsers do.
  insecure: true,
  poolMaxIdlePerHost: 0,
  emulation: {
    // What Chromium forgives: src/probe/network/response-parser.ts.
    http1Options: {
      maxHeaders: 4_096,
      ignoreInvalidHeadersInResponses: true,
      allowSpacesAfterHeaderNameInResponses: true,
      allowObsoleteMultilineHeadersInResponses: true,
    },
  },
} as const;

const REQUEST = {
  redirect: "manual",
  compress: false,
  headers: {
    "accept-language": "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7",
    // As the probe, and against the browser: a compressed page may be too small to show a freeze. No filter can read it.
    "accept-encoding": "identity",
  },
} as const;

/**
 * Loads the client with a browser's ClientHello: docs/probe/browser.md. Nothing of it is loaded without this call. Never throws.
 *
 * @returns undefined if the package is not installed, or has no native part for this system: `load` throws, or rejects.
 */
export async function openBrowserClient({
  load = (): Promise<BrowserPackage> => import("wreq-js"),
  limits = SERVICE_LIMITS,
} = {}): Promise<AskBrowser | undefined> {
  try {
    const loaded = await load();
    return (target, signal) => askAsBrowser(loaded, target, limits, signal);
  } catch {
    return undefined;
  }
}

/** Each takes a megabyte of buffers, and a filter can hold all of them until a time-out. */
const AT_ONCE = 16;

/**
 * The same client, for a bounded number of questions at once; without it no question has an answer. It is loaded before the first
 * question: while probes wait for their answers, the 50 ms that this takes would be added to their times.
 */
export async function openBrowserPool(loading = openBrowserClient()): Promise<AskBrowser> {
  const client = await loading;
  const pool = createPool({ concurrency: AT_ONCE, perHost: 1 });
  return (target, signal) => pool(target.url.host, async () => client?.(target, signal));
}

/** One opinion, by the rules of `AskBrowser`. */
async function askAsBrowser(
  loaded: BrowserPackage,
  { url, address, port }: BrowserTarget,
  limits: ProbeLimits,
  signal: AbortSignal,
): Promise<BrowserOpinion | undefined> {
  if (url.protocol !== "https:" || signal.aborted) return undefined;
  const opened = await connectTcp(address, port, limits.tcpMs, signal);
  if (opened.kind === "skipped" || signal.aborted) return undefined;
  if (opened.kind === "failed") return { kind: "fails", stage: "tcp", bytes: 0 };
  const opinion = await converse(loaded, withoutUser(url), opened.socket, limits);
  // An abort destroys the connection, which looks like a failure.
  return signal.aborted ? undefined : opinion;
}

function withoutUser(url: URL): string {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  bare.hash = "";
  return bare.href;
}

interface Answer {
  status?: number;
  /** Bytes of the connection when the head of the answer was there. */
  rawBytesOfHead: number;
  bytes: number;
}

type End = "complete" | "enough" | "broken" | "silent";

/** Never throws, and always ends the connection. */
async function converse(
  loaded: BrowserPackage,
  url: string,
  socket: Socket,
  limits: ProbeLimits,
): Promise<BrowserOpinion | undefined> {
  const maxRawBytes = limits.headBytes + ENOUGH_RAW_BYTES + OVERHEAD_BYTES;
  const [enough, end] = createSignal<End>();
  const answer: Answer = { rawBytesOfHead: 0, bytes: 0 };
  const onProgress = ({ rawBytes, isSecured }: TunnelProgress): void => {
    clock.note(isSecured);
    if (answer.status === undefined) return;
    const isEnough = rawBytes - answer.rawBytesOfHead >= ENOUGH_RAW_BYTES;
    // The answer may have outrun the news of its head.
    if (isEnough || rawBytes >= maxRawBytes) end("enough");
  };
  const tunnel = await openTunnel(socket, maxRawBytes, onProgress);
  if (tunnel === undefined) return undefined;
  const clock = createStageClock(limits);
  const onHead = (status: number): void => {
    if (answer.status !== undefined) return;
    answer.status = status;
    answer.rawBytesOfHead = tunnel.progress.rawBytes;
    clock.enterBody();
    onProgress(tunnel.progress);
  };
  const reading = readAnswer(loaded, url, limits, tunnel.proxyUrl, onHead, answer);
  const first = await Promise.race([reading, enough, clock.silence]);
  const opinion = judge(first, answer, tunnel, clock);
  clock.stop();
  // Without its connection the client ends. Its own way to cancel can forget an answer, whose events then keep this process alive.
  tunnel.close();
  await reading;
  return opinion;
}

/** Reads the answer as far as needed. Never rejects. */
async function readAnswer(
  { createTransport, fetch }: BrowserPackage,
  url: string,
  limits: ProbeLimits,
  proxy: string,
  onHead: (status: number) => void,
  answer: Answer,
): Promise<End> {
  try {
    const transport = await createTransport({ ...TRANSPORT, proxy });
    try {
      const response = await fetch(url, {
        ...REQUEST,
        transport,
        timeout: limits.totalMs,
        // A body whose length is known is read before the answer is there.
        onRequestEvent: ({ type, status }) => {
          if (type === "response_headers" && status !== undefined) onHead(status);
        },
      });
      onHead(response.status);
      for await (const part of response.body ?? []) {
        answer.bytes += part.length;
        if (answer.bytes >= MIN_BROWSER_BYTES) return "enough";
      }
      return "complete";
    } finally {
      await transport.close();
    }
  } catch {
    return "broken";
  }
}

function judge(
  end: End,
  { status, bytes }: Answer,
  { progress }: Tunnel,
  clock: StageClock,
): BrowserOpinion | undefined {
  const { rawBytes, hasBegun, isServerClosed } = progress;
  if (status !== undefined && (end === "complete" || end === "enough")) {
    return { kind: "opens", status, bytes: end === "enough" ? MIN_BROWSER_BYTES : bytes };
  }
  if (hasBegun) {
    const stage = clock.stage() === "http" && mayBeFrozen(rawBytes) ? "body" : clock.stage();
    return { kind: "fails", stage, bytes: rawBytes };
  }
  // The server has closed a connection that was open, before anything was sent. Otherwise it is the client that did not come.
  return isServerClosed ? { kind: "fails", stage: "tcp", bytes: 0 } : undefined;
}

type OpenStage = "tls" | "http" | "body";

type StageClock = ReturnType<typeof createStageClock>;

/**
 * Measures the silence of a connection by the stage that it is in. Starts at the beginning of the handshake. The stages have the times of
 * the probe.
 */
function createStageClock(limits: ProbeLimits) {
  const [silence, resolve] = createSignal<"silent">();
  let stage: OpenStage = "tls";
  let changes = 0;
  const ring = (): void => {
    const before = changes;
    // Bytes that came while this process could not run are not late.
    setImmediate(() => {
      if (changes === before) resolve("silent");
      else timer.refresh();
    });
  };
  let timer = setTimeout(ring, limits.tlsMs);
  const total = setTimeout(() => resolve("silent"), limits.totalMs);
  const enter = (next: OpenStage, ms: number): void => {
    stage = next;
    clearTimeout(timer);
    timer = setTimeout(ring, ms);
  };
  return {
    stage: (): OpenStage => stage,
    /** Bytes went one way or the other. */
    note(isSecured: boolean): void {
      changes += 1;
      if (stage === "tls" && isSecured) enter("http", limits.firstByteMs);
      if (stage === "body") timer.refresh();
    },
    /** The head of the answer is there. */
    enterBody: (): void => enter("body", limits.stallMs),
    /** Resolves when a stage, or all of them, took too long. */
    silence,
    stop(): void {
      clearTimeout(timer);
      clearTimeout(total);
    },
  };
}
