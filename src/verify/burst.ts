import type { Client } from "./client.ts";
import { LIST_PATH } from "./specification.ts";

/**
 * How many requests show whether a front limits its clients. The shipped ones take 200 at once and ten a second, and the other points
 * have asked for some 200 before: from 20 requests a second on, 400 more are refused one.
 */
export const BURST_REQUESTS = 400;

/** More would wait for the client, which sends no more at once. */
const AT_ONCE = 8;

/**
 * Asks for the list, as fast as the client goes, until an answer is 429, at most so often: how a front refuses shows in nothing else.
 * Stops at once when it was refused before.
 */
export async function provokeThrottling(client: Client, atMost: number): Promise<void> {
  let left = atMost;
  async function askOn(): Promise<void> {
    while (left > 0 && client.tally.throttled.length === 0) {
      left -= 1;
      const exchange = await client.send({ method: "GET", target: LIST_PATH });
      // The server is gone, or the time is up.
      if (exchange.kind === "trouble") return;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
}
