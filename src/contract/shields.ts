import * as z from "zod";
import { exact, TEXT } from "./parts.ts";

/** `badge.json` and the like. Source: https://shields.io/badges/endpoint-badge */
export const SHIELDS_SCHEMAS = {
  ShieldsEndpoint: exact("What the endpoint badge of shields.io reads.", {
    schemaVersion: z.literal(1),
    label: TEXT,
    message: TEXT.meta({ examples: ["99.98%"] }),
    color: z
      .string()
      .regex(/^[0-9a-f]{6}$/u)
      .meta({ examples: ["1a7f37"] }),
  }),
};
