import { test } from "vitest";
import { expectEarlyReport } from "./early-report.ts";
import { expectFailure, rowsOf, WITHOUT_PORT } from "./failing-starts.ts";
import { MAX_MS } from "./start-harness.ts";
import { expectStop, MOMENTS } from "./stopped-starts.ts";

/* Starts that fail or are stopped. All of them, with every instant of a start: test/system/start.test.ts. */

test.concurrent.for(rowsOf(WITHOUT_PORT))(
  "$command ends with $code and has published nothing when $name",
  { timeout: MAX_MS },
  (one, { onTestFinished }) => expectFailure(one, onTestFinished),
);

test.concurrent.for(MOMENTS)(
  "$command that is stopped $name ends with 0, and has published $publishes",
  { timeout: MAX_MS },
  (one, { onTestFinished }) => expectStop(one, "SIGTERM", onTestFinished),
);

test.concurrent(
  "a report during a start waits for its end, and is accepted",
  { timeout: MAX_MS },
  ({ onTestFinished }) => expectEarlyReport((openStore) => openStore(), 202, onTestFinished),
);
