import type { Congestion } from "../../model/service/history.ts";

/** From this share on, doctor warns the operator: `partial` by retries and `slow` are then rarely published. */
const OFTEN = 0.1;

export function isOftenCongested({ congested, of }: Congestion): boolean {
  return congested >= OFTEN * of && congested > 0;
}

export function describeCongestion({ congested, of }: Congestion): string {
  return `This machine was itself slow in ${congested} of ${of} runs of the last day. In those runs, retries and slow answers say nothing. Give it more processors or less work.`;
}
