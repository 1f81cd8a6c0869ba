import { errors, type NatsConnection } from "@nats-io/transport-node";
import { messageOf } from "../model/errors.ts";
import { SECOND_MS } from "../model/time.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import { type EngineAddress, withEngine } from "./connection.ts";
import { consumerOf, endSubjectOf, RESULT_STREAM, SLOT_ENDS, WORK_STREAM } from "./names.ts";
import { ensureStreams } from "./streams.ts";
import type { EngineFinding } from "./try-engine.ts";

const NAME = "engineWorkerCredentials";
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
    return await withEngine(worker, { vantage }, false, async (connection) =>
      judge(vantage, await findLacks(connection, vantage), await findExcess(connection, vantage)),
    );
  } catch (error) {
    return { name: NAME, result: "fail", detail: messageOf(error) };
  }
}

function judge(
  vantage: string,
  lacks: readonly string[],
  excess: readonly string[],
): EngineFinding {
  if (lacks.length + excess.length === 0)
    return { name: NAME, result: "ok", detail: `workers of ${vantage} can do their work only` };
  const what = lacks.length > 0 ? `cannot ${lacks.join(", ")}` : `can also ${excess.join(", ")}`;
  const detail = `workers of ${vantage} ${what}. See docs/scaling.md, "Keys".`;
  return { name: NAME, result: "fail", detail };
}

async function findLacks(connection: NatsConnection, vantage: string): Promise<readonly string[]> {
  const consumer = consumerOf(vantage);
  const needed = {
    "see their work": `$JS.API.CONSUMER.INFO.${WORK_STREAM}.${consumer}`,
    "send results": `results.${vantage}.${NO_BATCH}`,
    "end a lease": `$JS.ACK.${WORK_STREAM}.${consumer}.1.1.1.1.1`,
  };
  const lacks: string[] = [];
  for (const [what, subject] of Object.entries(needed))
    if (!(await mayPublish(connection, subject))) lacks.push(what);
  return (await maySubscribe(connection, SLOT_ENDS)) ? lacks : [...lacks, "hear the end of a slot"];
}

async function findExcess(connection: NatsConnection, vantage: string): Promise<readonly string[]> {
  const forbidden = {
    "send results of another vantage": `results.${vantage}-other.${NO_BATCH}`,
    "send work": `work.${vantage}.${NO_BATCH}`,
    "read work without a lease": `$JS.API.STREAM.MSG.GET.${WORK_STREAM}`,
    "read results": `$JS.API.STREAM.MSG.GET.${RESULT_STREAM}`,
    "take work of another vantage": `$JS.API.CONSUMER.MSG.NEXT.${WORK_STREAM}.${consumerOf(`${vantage}-other`)}`,
    "say that a slot has ended": endSubjectOf("0-1", 0),
  };
  const excess: string[] = [];
  for (const [what, subject] of Object.entries(forbidden))
    if (await mayPublish(connection, subject)) excess.push(what);
  const audible = {
    "listen to results": "results.>",
    "listen to work": "work.>",
    "listen to the replies of others": "_INBOX.>",
  };
  for (const [what, subject] of Object.entries(audible))
    if (await maySubscribe(connection, subject)) excess.push(what);
  return excess;
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
