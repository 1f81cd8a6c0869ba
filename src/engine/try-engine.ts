import { randomUUID } from "node:crypto";
import {
  type Consumer,
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  type JsMsg,
} from "@nats-io/jetstream";
import { errors, type NatsConnection } from "@nats-io/transport-node";
import { messageOf } from "../model/errors.ts";
import { SECOND_MS } from "../model/time.ts";
import { MAX_MESSAGE_BYTES } from "./batches.ts";
import { type EngineAddress, withEngine } from "./connection.ts";
import {
  type BatchName,
  consumerOf,
  endSubjectOf,
  RESULT_STREAM,
  resultSubjectOf,
  SLOT_ENDS,
  WORK_STREAM,
  workSubjectOf,
} from "./names.ts";
import type { OnlineCheckDependencies } from "./serve-batches.ts";
import { ensureStreams } from "./streams.ts";

export interface EngineFinding {
  readonly name: string;
  readonly result: "ok" | "warn" | "fail";
  /** What was seen, and what to fix. */
  readonly detail: string;
}

type TrialDependencies = Pick<OnlineCheckDependencies, "now" | "sleep">;

/** A vantage for trials alone: no worker listens to it. */
const TRIAL: BatchName = { vantage: "doctor", cell: "0-1", slot: 0, number: 0 };

const NEXT_MS = 3 * SECOND_MS;
/** The shortest that the server takes, in seconds. */
const TTL_SECONDS = 1;
const EXPIRY_MS = 10 * SECOND_MS;
const POLL_MS = 250;

/** JetStream has what is needed since 2.12: expiry of single messages in a work queue. */
const FITTING_VERSION = /^v?(?:2\.(?:1[2-9]|[2-9]\d)|[3-9]|\d\d)/u;

/** Tries all that a publisher needs: streams, publish, pull, de-duplication, leases, expiry. Leaves nothing behind. Never rejects. */
export async function tryEngine(
  address: EngineAddress,
  deps: TrialDependencies,
): Promise<readonly EngineFinding[]> {
  try {
    return await withEngine(address, "publisher", false, (connection) =>
      tryAll(connection, address, deps),
    );
  } catch (error) {
    return [{ name: "engine", result: "fail", detail: messageOf(error) }];
  }
}

async function tryAll(connection: NatsConnection, address: EngineAddress, deps: TrialDependencies) {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const found = [
    judgeServer(connection, address),
    await attempt("engine streams", async () => {
      await ensureStreams(manager, [TRIAL.vantage]);
      await clear(manager);
      await ensureStreams(manager, [TRIAL.vantage]);
      return `${WORK_STREAM} and ${RESULT_STREAM} are there, and consumers can be made`;
    }),
  ];
  if (found.some(({ result }) => result === "fail")) return found;
  try {
    return [...found, ...(await tryWork(jetstream(connection), manager, deps))];
  } finally {
    await clear(manager);
  }
}

function judgeServer(connection: NatsConnection, { url }: EngineAddress): EngineFinding {
  const { version = "?", jetstream: hasStreams, max_payload: most } = connection.info ?? {};
  const tell = (result: EngineFinding["result"], detail: string): EngineFinding => {
    return { name: "engine", result, detail };
  };
  if (!FITTING_VERSION.test(version))
    return tell("fail", `NATS ${version} is too old: install 2.12 or later.`);
  if (hasStreams !== true)
    return tell("fail", "JetStream is off: start the server with --jetstream.");
  if (most !== undefined && most < MAX_MESSAGE_BYTES)
    return tell("fail", `max_payload is ${most}: set it to 1MB or more.`);
  return connection.info?.auth_required !== true && url.startsWith("tls:")
    ? tell(
        "warn",
        `NATS ${version} takes work and answers from everyone: give each side a key (docs/scaling.md, "Keys").`,
      )
    : tell("ok", `NATS ${version} with JetStream`);
}

/** What a trial that was cut off left behind would be pulled first. */
async function clear(manager: JetStreamManager): Promise<void> {
  const { vantage } = TRIAL;
  await manager.consumers.delete(WORK_STREAM, consumerOf(vantage)).catch(() => undefined);
  for (const [stream, filter] of [
    [WORK_STREAM, `work.${vantage}.>`],
    [RESULT_STREAM, `results.${vantage}.>`],
  ] as const)
    await manager.streams.purge(stream, { filter }).catch(() => undefined);
}

async function tryWork(
  client: JetStreamClient,
  manager: JetStreamManager,
  deps: TrialDependencies,
): Promise<readonly EngineFinding[]> {
  const consumer = await client.consumers.get(WORK_STREAM, consumerOf(TRIAL.vantage));
  const msgID = randomUUID();
  const body = new TextEncoder().encode(msgID);
  const subject = workSubjectOf(TRIAL);
  return [
    await attempt("engine publish", async () => {
      await client.publish(subject, body, { msgID });
      const { duplicate } = await client.publish(subject, body, { msgID });
      if (!duplicate) throw new Error("a batch that is sent twice is kept twice");
      return "a batch is kept once, though sent twice";
    }),
    await attempt("engine pull", async () => {
      const first = await pull(consumer, body);
      first.nak();
      const second = await pull(consumer, body);
      if (!second.redelivered) throw new Error("what was given back is not marked");
      await second.ackAck();
      return "a batch that was given back comes again, and one that was done does not";
    }),
    await attempt("engine results", async () => {
      await client.publish(resultSubjectOf(TRIAL), body, { msgID });
      const filter = { filter_subjects: resultSubjectOf(TRIAL) };
      await pull(await client.consumers.get(RESULT_STREAM, filter), body);
      return "an answer arrives";
    }),
    await attempt("engine expiry", () => tryExpiry(client, manager, deps)),
  ];
}

async function tryExpiry(
  client: JetStreamClient,
  manager: JetStreamManager,
  { now, sleep }: TrialDependencies,
): Promise<string> {
  const { seq } = await client.publish(workSubjectOf(TRIAL), new Uint8Array(1), {
    ttl: `${TTL_SECONDS}s`,
  });
  const startedMs = now();
  while ((await manager.streams.getMessage(WORK_STREAM, { seq }).catch(() => null)) !== null) {
    if (now() - startedMs > EXPIRY_MS)
      throw new Error("work does not expire, so a slot's would be checked in the next");
    await sleep(POLL_MS);
  }
  return "work of a slot that is over is gone";
}

async function pull(consumer: Consumer, body: Uint8Array): Promise<JsMsg> {
  const message = await consumer.next({ expires: NEXT_MS });
  if (message === null) throw new Error("nothing arrives");
  if (Buffer.compare(message.data, body) !== 0) throw new Error("something else arrives");
  return message;
}

async function attempt(name: string, work: () => Promise<string>): Promise<EngineFinding> {
  try {
    return { name, result: "ok", detail: await work() };
  } catch (error) {
    return { name, result: "fail", detail: `${messageOf(error)}.` };
  }
}

const WORKER_NAME = "engineWorkerCredentials";
const ANSWER_MS = 2 * SECOND_MS;

/** Never asked for by a publisher, so what is put there counts for nothing. */
const NO_BATCH = "0-1.0.0";

/** Whether a worker may do its work and nothing else: a forged answer keeps a badge green. `publisher` makes what it looks for. */
export async function tryWorker(
  publisher: EngineAddress,
  worker: EngineAddress,
  vantage: string,
): Promise<EngineFinding> {
  try {
    await withEngine(publisher, "publisher", false, async (connection) =>
      ensureStreams(await jetstreamManager(connection), [vantage]),
    );
    return await withEngine(worker, { vantage }, false, (connection) =>
      judgeWorker(connection, vantage),
    );
  } catch (error) {
    return { name: WORKER_NAME, result: "fail", detail: messageOf(error) };
  }
}

async function judgeWorker(connection: NatsConnection, vantage: string): Promise<EngineFinding> {
  const lacks: string[] = [];
  for (const [what, may, subject] of neededRights(vantage))
    if (!(await may(connection, subject))) lacks.push(what);
  const excess: string[] = [];
  for (const [what, may, subject] of forbiddenRights(vantage))
    if (await may(connection, subject)) excess.push(what);
  if (lacks.length + excess.length === 0)
    return {
      name: WORKER_NAME,
      result: "ok",
      detail: `workers of ${vantage} can do their work only`,
    };
  const what = lacks.length > 0 ? `cannot ${lacks.join(", ")}` : `can also ${excess.join(", ")}`;
  const detail = `workers of ${vantage} ${what}. See docs/scaling.md, "Keys".`;
  return { name: WORKER_NAME, result: "fail", detail };
}

/** What a worker would do, as the end of a sentence, and how to find out whether it may. */
type Right = readonly [what: string, may: typeof mayPublish, subject: string];

function neededRights(vantage: string): readonly Right[] {
  const consumer = consumerOf(vantage);
  return [
    ["see their work", mayPublish, `$JS.API.CONSUMER.INFO.${WORK_STREAM}.${consumer}`],
    ["send results", mayPublish, `results.${vantage}.${NO_BATCH}`],
    ["end a lease", mayPublish, `$JS.ACK.${WORK_STREAM}.${consumer}.1.1.1.1.1`],
    ["hear the end of a slot", maySubscribe, SLOT_ENDS],
  ];
}

function forbiddenRights(vantage: string): readonly Right[] {
  const other = `${vantage}-other`;
  const nextOfOther = `$JS.API.CONSUMER.MSG.NEXT.${WORK_STREAM}.${consumerOf(other)}`;
  return [
    ["send results of another vantage", mayPublish, `results.${other}.${NO_BATCH}`],
    ["send work", mayPublish, `work.${vantage}.${NO_BATCH}`],
    ["read work without a lease", mayPublish, `$JS.API.STREAM.MSG.GET.${WORK_STREAM}`],
    ["read results", mayPublish, `$JS.API.STREAM.MSG.GET.${RESULT_STREAM}`],
    ["take work of another vantage", mayPublish, nextOfOther],
    ["say that a slot has ended", mayPublish, endSubjectOf("0-1", 0)],
    ["listen to results", maySubscribe, "results.>"],
    ["listen to work", maySubscribe, "work.>"],
    ["listen to the replies of others", maySubscribe, "_INBOX.>"],
  ];
}

/** Only a refusal says no: a subject without a listener gives no answer. */
async function mayPublish(connection: NatsConnection, subject: string): Promise<boolean> {
  try {
    await connection.request(subject, new Uint8Array(), { timeout: ANSWER_MS });
    return true;
  } catch (error) {
    return !isDenied(error) && !(error instanceof Error && isDenied(error.cause));
  }
}

/** The server refuses before it answers the flush. */
async function maySubscribe(connection: NatsConnection, subject: string): Promise<boolean> {
  let denied = false;
  const subscription = connection.subscribe(subject, {
    callback: (error) => {
      denied ||= isDenied(error);
    },
  });
  await connection.flush();
  subscription.unsubscribe();
  return !denied;
}

function isDenied(error: unknown): boolean {
  return error instanceof errors.PermissionViolationError;
}
