import * as z from "zod";
import { exact, NAME, TEXT } from "./parts.ts";

/** `badge.json` and the like. Source: https://shields.io/badges/endpoint-badge */
export type ShieldsEndpoint = z.infer<typeof SHIELDS_SCHEMAS.ShieldsEndpoint>;

export const SHIELDS_SCHEMAS = {
  ShieldsEndpoint: exact("What the endpoint badge of shields.io reads.", {
    schemaVersion: z.literal(1),
    label: TEXT,
    message: NAME.meta({ examples: ["99.98%"] }),
    color: z
      .string()
      .regex(/^[0-9a-f]{6}$/u, "six hexadecimal digits")
      .meta({ examples: ["1a7f37"] }),
  }),
};
