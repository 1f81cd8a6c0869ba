import * as z from "zod";
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { SECOND_MS } from "../../model/time.ts";
import type { SendResult } from "../rules/change.ts";
import { onAbort } from "../../probe/network/tcp.ts";
import { checkedText } from "../../yaml/check-shape.ts";
import { shorten } from "./bot.ts";
import type { ChannelKind, SendDependencies } from "./kind.ts";

/** Two attempts of a slow mail server fit into it, and it into the lease of a notifier. */
const TIMEOUT_MS = 20 * SECOND_MS;

/** Of what the program writes to standard error. */
const MAX_ERROR_BYTES = 4_096;

/** After its end, until what it wrote must have arrived. */
const LEFT_OPEN_MS = SECOND_MS / 2;

/** The program asks to be called again. Source: sysexits.h, EX_TEMPFAIL. */
const TRY_LATER = 75;

/** Variables that a program may need to find its files; everything else, secrets above all, stays here. */
const PASSED_ON = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"] as const;

export interface ExecReceiver {
  readonly command: readonly [string, ...string[]];
}

const MAX_WORDS = 32;

/** What a program can show at most. */
const MAX_CHARACTERS = 16_384;

/** A program of the operator, which gets each message as one line of JSON. */
export const EXEC: ChannelKind<ExecReceiver> = {
  settings: {
    command: z
      .array(checkedText((word) => (word.includes("\0") ? "has a null character." : undefined)))
      .min(1, "is empty; write the program and its arguments, each an item of a list.")
      .max(MAX_WORDS, `has too many words; give at most ${MAX_WORDS}.`)
      .transform(([program = "", ...args]) => [program, ...args] as const),
  },
  mayEdit: false,
  send: (settings, _, { id, language, payload, plain }, deps) =>
    sendExec(settings, { id, ...payload, language, text: plain(MAX_CHARACTERS) }, deps),
  test: ({ command: [program] }, _, { env }) => faultInProgram(program, env["PATH"] ?? ""),
  found: "the program can be started; whether it works, `notify test` shows",
  remedy: "Give its path, and the right to execute it.",
};

/** Gives a program one JSON object. 0: it has taken the message; anything else, or 20 seconds, is a failure. Never rejects. */
export function sendExec(
  { command: [program, ...args] }: ExecReceiver,
  message: object,
  { env, signal, killGroup }: Pick<SendDependencies, "env" | "signal" | "killGroup">,
): Promise<SendResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: Object.fromEntries(PASSED_ON.map((name) => [name, env[name]])),
      stdio: ["pipe", "ignore", "pipe"],
      // A process group of its own, so that what it has started can be stopped with it.
      detached: true,
    });
    const stop = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const leave = onAbort(signal, stop);
    let said = "";
    let isLate = false;
    const timers = [
      setTimeout(() => {
        isLate = true;
        stop();
      }, TIMEOUT_MS),
    ];
    const settle = (result: SendResult): void => {
      for (const timer of timers) clearTimeout(timer);
      leave();
      child.stderr.destroy();
      resolve(result);
    };
    const end = (code: number | null, killedBy: string | null): void =>
      settle(
        code === 0 ? { kind: "delivered" } : failureOf(isLate ? "timeout" : code, killedBy, said),
      );
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(0, MAX_ERROR_BYTES);
    });
    child.on("error", (error: NodeJS.ErrnoException) =>
      settle({ kind: "failed", reason: error.code ?? "not started" }),
    );
    child.on("close", end);
    // A program that it has left behind may hold its standard error open.
    child.on("exit", (...how) => timers.push(setTimeout(() => end(...how), LEFT_OPEN_MS)));
    // One that reads nothing is free to do so.
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${JSON.stringify(message)}\n`);
  });
}

function failureOf(
  code: number | "timeout" | null,
  killedBy: string | null,
  said: string,
): SendResult {
  const how = typeof code === "number" ? `exit ${code}` : (code ?? String(killedBy));
  const later = code === TRY_LATER ? ", try later" : "";
  const words = shorten(said);
  return { kind: "failed", reason: `${how}${later}${words === "" ? "" : `: ${words}`}` };
}

/** Why a program cannot be started; undefined if it can. A name without a slash is looked for in `PATH`, as at a start. */
async function faultInProgram(program: string, path: string): Promise<string | undefined> {
  const places = program.includes("/")
    ? [program]
    : path.split(delimiter).map((folder) => join(folder, program));
  for (const place of places) {
    const fault = await access(place, constants.X_OK).catch((error: unknown) => error);
    if (fault === undefined) return undefined;
  }
  return `${program} is not a program that may be started here`;
}
