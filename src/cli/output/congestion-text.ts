import type { Congestion } from "../../model/service/history.ts";

/** From this share on an operator is told: `partial` by retries and `slow` are rarely told then. */
const OFTEN = 0.1;

export function isOftenCongested({ congested, of }: Congestion): boolean {
  return congested >= OFTEN * of && congested > 0;
}

export function describeCongestion({ congested, of }: Congestion): string {
  return `This machine was slow itself in ${congested} of ${of} runs of the last day; in those, retries and slow answers say nothing. Give it more processors, or less to do.`;
}
