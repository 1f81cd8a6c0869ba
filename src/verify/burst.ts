import type { Client } from "./http/client.ts";
import { MAX_AT_ONCE } from "./http/http-exchange.ts";
import { LIST_PATH } from "./api/specification.ts";

/**
 * Maximum number of requests to provoke a 429. The shipped fronts allow a burst of 200 and 10 a second, and the other checks have
 * sent about 200 requests before; so at 20 requests a second or more, one of 400 is refused.
 */
export const BURST_REQUESTS = 400;

/**
 * Requests the list until a response is 429, at most `atMost` times, because only a 429 shows the headers of a refusal. Sends
 * nothing if there was a 429 before.
 */
export async function provokeThrottling(client: Client, atMost: number): Promise<void> {
  let left = atMost;
  async function askOn(): Promise<void> {
    while (left > 0 && client.tally.throttled.length === 0) {
      left -= 1;
      const exchange = await client.send({ method: "GET", target: LIST_PATH });
      // The server is unreachable, or the time is over.
      if (exchange.kind === "trouble") return;
    }
  }
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, askOn));
}
