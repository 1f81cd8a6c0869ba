import * as z from "zod";
import { OWNER_PROBLEMS, VISITOR_PROBLEMS } from "../model/monitor/problems.ts";
import { TEXT } from "./parts.ts";

/** A refusal of the intake. More fields may come. Source: RFC 9457. */
function problemOf(codes: object) {
  return z.object({
    title: TEXT,
    status: z.int(),
    code: z.enum(Object.keys(codes)),
    detail: TEXT.optional(),
    errors: z.array(z.object({ pointer: TEXT, message: TEXT })).optional(),
  });
}

/** The refusals of owners' requests. */
export const OWNER_PROBLEM_SCHEMAS = {
  OwnerProblem: problemOf(OWNER_PROBLEMS).extend({ type: TEXT }),
};

/** The refusals of visitors' requests. */
export const PUSH_PROBLEM_SCHEMAS = { PushProblem: problemOf(VISITOR_PROBLEMS) };
