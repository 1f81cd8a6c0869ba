import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import type { Answers } from "./run-trial.ts";

/** Of the unpacked file: 64 KiB of body for some hundreds of endpoints, twice. */
const MAX_BYTES = 256 * 1024 * 1024;

const FORMAT = "status-snapshot/answers";

const FILE = z.object({
  format: z.literal(FORMAT),
  answers: z.array(
    z.tuple([
      z.string(),
      z.array(
        z.object({
          outcome: z.looseObject({ kind: z.enum(["ok", "denied", "failed", "skipped"]) }),
          hops: z.array(
            z.looseObject({
              url: z.string(),
              tlsVerified: z.boolean().nullable(),
              answer: z.looseObject({ kind: z.enum(["answer", "failed", "skipped"]) }),
            }),
          ),
        }),
      ),
    ]),
  ),
});

/** Recorded answers as a file: gzip over JSON. */
export function encodeAnswers(answers: Answers): Uint8Array {
  return gzipSync(JSON.stringify({ format: FORMAT, answers: [...answers] }));
}

/** Throws RangeError if the bytes are not of `encodeAnswers`. */
export function decodeAnswers(bytes: Uint8Array): Answers {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString("utf8");
    const { answers } = FILE.parse(JSON.parse(text));
    // Written by `encodeAnswers` on this machine; the shape is checked as far as it is read.
    return new Map(answers) as unknown as Answers;
  } catch (error) {
    throw new RangeError("not a file that `catalogue trial --answers` has written.", {
      cause: error,
    });
  }
}
