import { expect, test } from "vitest";
import { createIntakeMetrics } from "../../../src/reports/intake/metrics.ts";

const SIGNS = {
  state: "inbox",
  journal: { reports: 3, bytes: 250 },
  sincePublishMs: 1_500,
} as const;

/** The lines about the intake itself, without their common beginning. */
async function linesOf(
  { render }: ReturnType<typeof createIntakeMetrics>,
  signs: Parameters<typeof render>[0] = SIGNS,
): Promise<readonly string[]> {
  const lines = (await render(signs)).split("\n");
  return lines
    .filter((line) => line.includes("status_snapshot_intake_"))
    .map((line) => line.replace("status_snapshot_intake_", ""));
}

test("each metric has its help", async () => {
  const lines = await linesOf(createIntakeMetrics());
  expect(lines.filter((line) => line.startsWith("# HELP"))).toEqual([
    "# HELP accepted_total Reports accepted, by where they were kept.",
    "# HELP refused_total Requests refused, by reason.",
    "# HELP failed_writes_total Writes that failed or came too late.",
    "# HELP replayed_total Reports of the journal that reached the inbox.",
    "# HELP cut_connections_total Connections closed early, by reason.",
    "# HELP journal_reports Reports in the journal.",
    "# HELP journal_bytes Bytes in the journal.",
    "# HELP up 1 while reports can be kept.",
    "# HELP inbox_up 1 while the inbox takes reports.",
    "# HELP publish_age_seconds Time since the last publish that succeeded, or since the start.",
    "# HELP connections Connections that are open.",
    "# HELP connections_limit Connections that may be open.",
    "# HELP write_seconds Time that a write of reports took.",
    "# HELP batch_reports Reports in one write.",
  ]);
});

test("each label has its value from the start, at 0", async () => {
  const lines = await linesOf(createIntakeMetrics());
  const ofCounters = lines.filter((line) => /^[a-z_]+_total[ {]/u.test(line));
  expect(ofCounters.every((line) => line.endsWith(" 0"))).toBe(true);
  const places = ["inbox", "journal"].map((to) => `{to="${to}"} 0`);
  expect(lines).toEqual(
    expect.arrayContaining([
      'accepted_total{kept="inbox"} 0',
      'accepted_total{kept="journal"} 0',
      'refused_total{reason="flood"} 0',
      'refused_total{reason="unavailable"} 0',
      'cut_connections_total{reason="dropped"} 0',
      ...places.flatMap((one) => [`failed_writes_total${one}`, `write_seconds_count${one}`]),
    ]),
  );
});

test("times and sizes of writes are told by their bounds", async () => {
  const metrics = createIntakeMetrics();
  metrics.countWrite({ to: "inbox", reports: 10, durationMs: 50, hasFailed: true });
  metrics.countWrite({ to: "inbox", reports: 2_000, durationMs: 20_000, hasFailed: false });
  const lines = await linesOf(metrics);
  expect(lines.filter((line) => line.startsWith("write_seconds_bucket{le="))).toEqual(
    ["inbox", "journal"].flatMap((to) =>
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, "+Inf"].map((le) => {
        const count = to === "journal" ? 0 : le === "+Inf" ? 2 : Number(le) >= 0.05 ? 1 : 0;
        return `write_seconds_bucket{le="${le}",to="${to}"} ${count}`;
      }),
    ),
  );
  expect(lines.filter((line) => line.startsWith("batch_reports_bucket"))).toEqual(
    [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, "+Inf"].map((le) => {
      const count = le === "+Inf" ? 2 : Number(le) >= 10 ? 1 : 0;
      return `batch_reports_bucket{le="${le}"} ${count}`;
    }),
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      'failed_writes_total{to="inbox"} 1',
      'write_seconds_sum{to="inbox"} 20.05',
      "batch_reports_sum 2010",
    ]),
  );
});

test("connections are counted, and faults as refusals, except those of the program", async () => {
  const metrics = createIntakeMetrics();
  const { onOpen, onCut, onFault } = metrics.connections;
  onOpen(3, 100);
  onCut("dropped");
  onCut("dropped");
  for (const fault of ["malformed", "unknown-method", "internal"] as const) onFault(fault);
  metrics.countReplayed(4);
  const changed = (await linesOf(metrics)).filter((line) =>
    /^[a-z_]+(?:\{.*\})? [1-9]/u.test(line),
  );
  expect(changed.filter((line) => !line.includes("bucket"))).toEqual([
    'refused_total{reason="bad-request"} 1',
    'refused_total{reason="wrong-method"} 1',
    "replayed_total 4",
    'cut_connections_total{reason="dropped"} 2',
    "journal_reports 3",
    "journal_bytes 250",
    "up 1",
    "inbox_up 1",
    "publish_age_seconds 1.5",
    "connections 3",
    "connections_limit 100",
  ]);
});

test.each([
  ["inbox", 1, 1],
  ["journal", 1, 0],
  ["refused", 0, 0],
] as const)(
  "while reports are kept so: %s, the signs are %i and %i",
  async (state, up, inboxUp) => {
    const lines = await linesOf(createIntakeMetrics(), { ...SIGNS, state });
    expect(lines).toEqual(expect.arrayContaining([`up ${up}`, `inbox_up ${inboxUp}`]));
  },
);
