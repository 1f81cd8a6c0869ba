import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { IntakeEvent } from "../../../src/reports/intake/report-writer.ts";
import {
  type Intake,
  type IntakeSettings,
  OPERATIONS_LISTENING,
  openIntake,
} from "../../../src/reports/intake/create-intake.ts";
import { createNetworkOf, readProxies } from "../../../src/http-server/client-address.ts";
import { answerFault } from "../../../src/reports/intake/responses.ts";
import type { Report } from "../../../src/model/service/reports.ts";
import { listen, type ListenOptions } from "../../../src/http-server/listen.ts";
import { decode, encode } from "./reports.ts";
import { exchange, type RawAnswer } from "../../http-server/raw-http.ts";

export const SECRET: Uint8Array = new TextEncoder().encode("sixteen bytes and a few");

/** A folder that is removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An inbox in memory. `lost-response`: the write succeeds, but its response is lost. */
export interface FakeInbox {
  readonly objects: Map<string, Uint8Array>;
  mode: "up" | "failing" | "hanging" | "lost-response";
  /** The id of every attempt. */
  readonly attempts: string[];
  readonly write: (id: string, bytes: Uint8Array) => Promise<void>;
  readonly reports: () => readonly Report[];
}

export function createInbox(): FakeInbox {
  const objects = new Map<string, Uint8Array>();
  const inbox: FakeInbox = {
    objects,
    mode: "up",
    attempts: [],
    write: async (id, bytes) => {
      inbox.attempts.push(id);
      await Promise.resolve();
      if (inbox.mode === "failing") throw new Error("the store is down");
      if (inbox.mode === "hanging") return new Promise(() => undefined);
      objects.set(id, bytes);
      if (inbox.mode === "lost-response") throw new Error("connection reset");
    },
    reports: () => [...objects.values()].flatMap(decode),
  };
  return inbox;
}

export interface Harness {
  readonly url: string;
  readonly operationsUrl: string;
  readonly inbox: FakeInbox;
  readonly intake: Intake;
  readonly events: IntakeEvent[];
  readonly accepted: Report[];
  /** Sends a POST with these exact headers on a new connection. */
  readonly post: (
    target: string,
    body?: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<RawAnswer>;
  readonly send: (
    method: string,
    target: string,
    headers?: Readonly<Record<string, string>>,
    body?: string,
  ) => Promise<RawAnswer>;
}

/** An intake on the loopback with an inbox in memory. Every loopback address is a proxy. */
export async function startHarness(
  parts: Partial<IntakeSettings> = {},
  times: NonNullable<ListenOptions["times"]> = {},
): Promise<Harness> {
  const inbox = createInbox();
  const events: IntakeEvent[] = [];
  const accepted: Report[] = [];
  const loopback = readProxies(["127.0.0.0/8"]);
  if (loopback.kind !== "ok") throw new Error(loopback.message);
  const intake = await openIntake({
    sincePublishMs: () => 0,
    hasService: (slug) => ["sberbank", "yandex-go"].includes(slug),
    countsOf: (slug) => {
      const hour = accepted.filter((report) => report.slug === slug).length;
      return { hour, day: hour + 100 };
    },
    writeInbox: inbox.write,
    encode,
    onAccepted: (reports) => void accepted.push(...reports),
    emit: (event) => void events.push(event),
    nowMs: () => Date.now(),
    secret: SECRET,
    operatorOf: () => 0,
    proxies: loopback.proxies,
    allowedOrigins: ["https://partner.example"],
    isLoopbackOwn: true,
    ...parts,
  });
  const front = await listen((request, bindings) => intake.app.fetch(request, bindings), {
    networkOf: createNetworkOf(parts.proxies ?? loopback.proxies),
    answerFault,
    observer: intake.observer,
    port: 0,
    times,
  });
  const operations = await listen((request) => intake.operations.fetch(request), {
    ...OPERATIONS_LISTENING,
    port: 0,
  });
  onTestFinished(async () => {
    await Promise.all([front.close(), operations.close()]);
    await intake.close();
  });
  const send: Harness["send"] = (method, target, headers = {}, body = "") => {
    const { host } = new URL(front.url);
    const sizes = body === "" ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const all = { Host: host, Connection: "close", ...sizes, ...headers };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const bytes = Buffer.from(`${method} ${target} HTTP/1.1\r\n${head.join("")}\r\n${body}`);
    return exchange(front.url, bytes.toString("latin1"));
  };
  return {
    url: front.url,
    operationsUrl: operations.url,
    inbox,
    intake,
    events,
    accepted,
    send,
    post: (target, body, headers) => send("POST", target, headers, body),
  };
}

/** Polls until the condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 5 }).toBe(true);
}
