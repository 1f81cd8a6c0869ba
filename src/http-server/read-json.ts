import { SECOND_MS } from "../model/time.ts";
import { type BodyResult, readBody } from "./read-body.ts";

/** Enough for every setting at its longest, with each character escaped. */
const MAX_BODY_BYTES = 16 * 1024;
const BODY_TIMEOUT_MS = 10 * SECOND_MS;

const PROBLEMS = {
  "too-large": "too-large",
  "too-slow": "too-slow",
  broken: "malformed",
} as const satisfies Readonly<Record<Exclude<BodyResult["kind"], "body">, string>>;

/** The text of a body of JSON, or why there is none. */
export type JsonText =
  | { readonly text: string }
  | {
      readonly problem: "unknown-media-type" | "too-large" | "too-slow" | "malformed";
      readonly detail?: string;
    };

/** The body of a request as text. Other pages could send a form without asking, so only JSON is read. Never rejects. */
export async function readJsonText(request: Request): Promise<JsonText> {
  const type = (request.headers.get("Content-Type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  const isJson = type === "application/json" || type === "application/merge-patch+json";
  if (!isJson || request.headers.has("Content-Encoding")) return { problem: "unknown-media-type" };
  const body = await readBody(request, BODY_TIMEOUT_MS, MAX_BODY_BYTES);
  if (body.kind !== "body") return { problem: PROBLEMS[body.kind] };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(body.bytes) };
  } catch {
    return { problem: "malformed", detail: "not UTF-8" };
  }
}
