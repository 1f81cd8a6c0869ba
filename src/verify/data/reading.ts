import type * as z from "zod";
import { type JsonObject, parseObject, readAs } from "../api/json-document.ts";
import { type Client, describeExchange, type Exchange, hasStatus } from "../http/client.ts";

/** Responses by target. */
export type DataExchanges = ReadonlyMap<string, Exchange>;

/** Requests each target. */
export async function readData(
  client: Client,
  targets: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<DataExchanges> {
  const exchanges = await client.getAll(targets, headers);
  return new Map(exchanges.map((exchange) => [exchange.ask.target, exchange]));
}

/** The document at a target; undefined if it could not be read. */
export function objectAt(exchanges: DataExchanges, target: string): JsonObject | undefined {
  const exchange = exchanges.get(target);
  return hasStatus(exchange, 200) ? parseObject(exchange.body).data : undefined;
}

/** Whether all of these targets that were requested are 404. */
export function areAbsent(exchanges: DataExchanges, targets: readonly string[]): boolean {
  return targets.every((target) => !exchanges.has(target) || hasStatus(exchanges.get(target), 404));
}

/** Of two targets that are published together, the one that is 404. */
export function findAlone(exchanges: DataExchanges, targets: readonly string[]): readonly string[] {
  return targets.flatMap((target) => {
    const exchange = exchanges.get(target);
    return hasStatus(exchange, 404) ? [`${describeExchange(exchange)}, but not the other`] : [];
  });
}

/** A document, and what is wrong with its content. */
export type DocumentRule = ReturnType<typeof ruleOf>;

/** A document that has to fit its schema, and then what the schema cannot say. */
export function ruleOf<T>(
  target: string,
  schema: z.ZodType<T>,
  find: (document: T) => readonly string[] = () => [],
) {
  const findAll = (value: JsonObject): readonly string[] => {
    const { data, problems } = readAs(schema, value);
    return data === undefined ? problems : find(data);
  };
  return [target, findAll] as const;
}
