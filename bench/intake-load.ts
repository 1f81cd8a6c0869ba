import { setTimeout as sleep } from "node:timers/promises";
import { addressOf, type RunningIntake } from "../test/cli/running-intake.ts";

const TICK_MS = 5;

/** The answer to one post. */
export interface LoadAnswer {
  readonly slug: string;
  /** Service and network. */
  readonly pair: string;
  readonly status: number;
  /** From the scheduled time, whether or not it could be sent then, to the end of the answer. */
  readonly tookMs: number;
}

export interface LoadOptions {
  readonly perSecond: number;
  readonly seconds: number;
  /** Reported in turn. */
  readonly slugs: readonly string[];
  /**
   * Networks that post in turn.
   * @default one for each post
   */
  readonly networks?: number;
  readonly onAnswer?: (answer: LoadAnswer) => void;
}

/**
 * Posts at a fixed rate, independently of the answers, and waits for all of them. The intake has to trust our
 * `X-Forwarded-For`.
 */
export async function loadIntake(
  intake: RunningIntake,
  { perSecond, seconds, slugs, networks = Infinity, onAnswer = () => undefined }: LoadOptions,
): Promise<readonly LoadAnswer[]> {
  const all = perSecond * seconds;
  const startMs = performance.now();
  const answers: Promise<LoadAnswer>[] = [];
  const post = async (number: number): Promise<LoadAnswer> => {
    const dueMs = startMs + (number / perSecond) * 1_000;
    const slug = slugs[number % slugs.length] ?? "";
    const from = addressOf(number % networks);
    const { status } = await intake.post(slug, { from });
    const answer = { slug, pair: `${slug} ${from}`, status, tookMs: performance.now() - dueMs };
    onAnswer(answer);
    return answer;
  };
  while (answers.length < all) {
    const due = Math.min(all, ((performance.now() - startMs) / 1_000) * perSecond);
    while (answers.length < due) answers.push(post(answers.length));
    await sleep(TICK_MS);
  }
  return Promise.all(answers);
}
