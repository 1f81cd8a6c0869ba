import type { ChildProcess } from "node:child_process";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { PATIENCE_MS } from "../patience.ts";
import { type CliOptions, startCli } from "./cli.ts";

/** Longer than any test or benchmark; ends an intake that was not stopped. */
const TIMEOUT_MS = 280_000;
/** Kept connections, far fewer than simulated networks. */
const CONNECTIONS = 256;

export interface Posted {
  /** 0: no answer, so it is unknown whether the report was accepted. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface PostOptions {
  /** The value of `X-Forwarded-For`. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `status-snapshot intake` as a child process. */
export interface RunningIntake {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly operationsUrl: string;
  /** The log so far. */
  readonly log: () => string;
  readonly post: (slug: string, options?: PostOptions) => Promise<Posted>;
  readonly health: () => Promise<unknown>;
  /** kill -9; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
  /** Ctrl-C; the value is its exit code. */
  readonly stop: () => Promise<number | null>;
}

/** Starts an intake on free ports and waits until it accepts reports. Throws its log if it ends instead. */
export async function startIntake(
  args: readonly string[],
  options: CliOptions,
): Promise<RunningIntake> {
  const ports = ["--port", "0", "--set", "operationsPort=0", "--log", "debug"];
  const { child, stdout, stderr, ended } = startCli(["intake", ...ports, ...args], {
    timeoutMs: TIMEOUT_MS,
    ...options,
  });
  const startedMs = performance.now();
  const isUp = (): boolean => /^Health and metrics at .*\n/mu.test(stdout());
  while (!isUp()) {
    const isLate = performance.now() - startedMs > PATIENCE_MS;
    if (isLate) child.kill("SIGKILL");
    if (isLate || child.exitCode !== null) throw new Error(`no intake: ${stdout()}${stderr()}`);
    await delay(5);
  }
  const [, url = ""] =
    /^Taking reports at (\S+)\/report\/<slug> \(Ctrl-C stops\)$/mu.exec(stdout()) ?? [];
  const [, operationsUrl = ""] = /^Health and metrics at (\S+)/mu.exec(stdout()) ?? [];
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const { code } = await ended;
    agent.destroy();
    return code;
  };
  return {
    child,
    pid: child.pid ?? 0,
    url,
    operationsUrl,
    log: stderr,
    post: (slug, options) => post(`${url}/report/${slug}`, agent, options),
    health: async () => (await fetch(`${operationsUrl}/healthz`)).json(),
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
  };
}

/** Never rejects. */
function post(
  url: string,
  agent: Agent,
  { from, headers = {}, body = "" }: PostOptions = {},
): Promise<Posted> {
  return new Promise((resolve) => {
    const sent = request(url, {
      method: "POST",
      agent,
      headers: {
        ...(from === undefined ? {} : { "X-Forwarded-For": from }),
        "Content-Length": String(Buffer.byteLength(body)),
        ...headers,
      },
    });
    const giveUp = (): void => resolve({ status: 0, headers: {}, body: "" });
    sent.once("error", giveUp);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.once("error", giveUp);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.end(body);
  });
}

/** An address of the n-th simulated network: no two share a /24, and consecutive ones are in different /16. */
export function addressOf(n: number): string {
  return `${128 + (n % 64)}.${Math.floor(n / 64) % 256}.${Math.floor(n / 16_384) % 256}.9`;
}
