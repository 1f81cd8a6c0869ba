import { type AnswerBody, parseAnswer } from "../http-server/answer-body.ts";
import type { RunningIntake } from "./running-intake.ts";

export interface AskedOwner {
  readonly key?: string;
  readonly body?: object;
}

/** Asks the operations of owners of a running intake. */
export function askOwnersOf({ url }: RunningIntake) {
  return async (
    method: string,
    path: string,
    { key, body }: AskedOwner = {},
  ): Promise<{ readonly status: number; readonly body: AnswerBody }> => {
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
