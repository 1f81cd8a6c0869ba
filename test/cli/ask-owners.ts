import { type AnswerBody, parseAnswer } from "../http-server/answer-body.ts";
import { until } from "./cli.ts";
import type { RunningIntake } from "./running-intake.ts";

export interface AskedOwner {
  readonly key?: string;
  readonly body?: object;
}

/** Asks the operations of owners of a running intake, once its first publish has told it who they are: until then it answers 503. */
export function askOwnersOf({ url }: RunningIntake) {
  let isKnown: Promise<void> | undefined;
  return async (
    method: string,
    path: string,
    { key, body }: AskedOwner = {},
  ): Promise<{ readonly status: number; readonly body: AnswerBody }> => {
    isKnown ??= until("owners are known", async () => {
      const { status } = await fetch(`${url}/monitors/none`);
      return status !== 503;
    });
    await isKnown;
    const response = await fetch(`${url}/monitors${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: parseAnswer(await response.text()) };
  };
}
