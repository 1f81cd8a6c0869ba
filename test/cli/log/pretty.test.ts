import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { FINE } from "../../../src/model/service/connectivity.ts";
import {
  createPrettyLog,
  describeProgress,
  NOTHING_DONE,
  updateProgress,
} from "../../../src/cli/log/pretty.ts";
import type { RunEvent } from "../../../src/model/run-event.ts";
import { failed, ok, resultOf } from "../../model/samples.ts";

/** A stream with the properties of a terminal, which keeps its output. */
function terminal(columns: number | undefined): { stream: NodeJS.WriteStream; text: () => string } {
  const stream = new PassThrough();
  let text = "";
  stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const shape = columns === undefined ? { isTTY: false } : { isTTY: true, columns, rows: 24 };
  const cursor = {
    cursorTo: () => stream.write("\u001B[1G"),
    clearLine: () => stream.write("\u001B[0K"),
    moveCursor: () => stream.write("\u001B[1A"),
  };
  // Only the parts of a terminal that the log uses.
  return {
    stream: Object.assign(stream, shape, cursor) as unknown as NodeJS.WriteStream,
    text: () => text,
  };
}

function emitRun(stream: NodeJS.WriteStream): void {
  const log = createPrettyLog(stream);
  log.emit({ event: "run-started", atMs: 0, services: 1, endpoints: 2 });
  log.emit({ event: "anchors-probed", phase: "start", connectivity: FINE });
  log.emit({ event: "deadline-reached", skipped: 2 });
  const none = { read: 0, find: 0, write: 0, remove: 0, list: 0 };
  const requests = { public: none, state: none };
  log.emit({ event: "published", written: 1, unchanged: 0, removed: 0, durationMs: 5, requests });
  log.close();
}

const WARNING =
  "Warning: the deadline of the run came before 2 endpoints were decided; they are skipped.\n";

describe("the log for people", () => {
  test("shows progress on a terminal and restores the cursor", () => {
    const { stream, text } = terminal(100);
    emitRun(stream);
    expect(text()).toContain("Probing the anchors");
    expect(text()).toContain(WARNING);
    expect(text().lastIndexOf("\u001B[?25h")).toBeGreaterThan(text().lastIndexOf("\u001B[?25l"));
  });

  test("writes only sentences to a terminal without a width", () => {
    const { stream, text } = terminal(0);
    emitRun(stream);
    expect(text()).toBe(WARNING);
  });

  test("explains a website without an address", () => {
    const { stream, text } = terminal(undefined);
    const log = createPrettyLog(stream);
    log.emit({ event: "site-without-address", assumedUrl: null });
    log.emit({ event: "site-without-address", assumedUrl: "http://127.0.0.1:8080" });
    log.close();
    const [leftOut, assumed] = text().split("\n");
    expect(leftOut).toMatch(
      /^Warning: the website is left out, .*--base-url \(STATUS_SNAPSHOT_BASE_URL\)/u,
    );
    expect(assumed).toMatch(
      /^Warning: the website names http:\/\/127\.0\.0\.1:8080 .*--base-url \(STATUS_SNAPSHOT_BASE_URL\)/u,
    );
  });

  test("names the first refused or mixed-address monitors, and counts the others", () => {
    const { stream, text } = terminal(undefined);
    const log = createPrettyLog(stream);
    log.emit({ event: "monitors-newly-refused", count: 7, ids: ["a", "b"] });
    log.emit({ event: "monitors-mixed-addresses", count: 1, ids: ["c"] });
    const anchors = ["https://a.example/", "https://b.example/"];
    log.emit({ event: "resolver-not-trusted", anchors, count: 4 });
    log.close();
    const [refused, mixed, resolver] = text().split("\n");
    expect(refused).toMatch(/^Warning: monitors that were healthy .* failing: a, b and 5 more\. /u);
    expect(mixed).toMatch(/^Warning: DNS gives public addresses and others .*: c\.$/u);
    expect(resolver).toMatch(/ even for https:\/\/a\.example\/, https:\/\/b\.example\/\. .*\(4\)/u);
  });

  test("prints the connectivity once, and again when it changes", () => {
    const { stream, text } = terminal(undefined);
    const log = createPrettyLog(stream);
    const cut = { ...FINE, state: "abroad-cut" as const, unreachable: ["https://f.example/"] };
    const off = { ...cut, state: "offline" as const };
    const rounds = [
      ["start", cut],
      ["middle", cut],
      ["end", { ...cut, state: "half" as const }],
      ["monitors", off],
    ] as const;
    for (const [phase, connectivity] of rounds)
      log.emit({ event: "anchors-probed", phase, connectivity });
    log.emit({ event: "run-offline", unreachable: off.unreachable });
    log.close();
    const lines = text().trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^The runner's path abroad is cut: .*: https:\/\/f\.example\/\.$/u);
    expect(lines[1]).toContain("only a part of the domestic networks");
    expect(lines[2]).toMatch(/^The runner is offline: 1 anchors do not answer/u);
  });

  test("writes only sentences to a file", () => {
    const { stream, text } = terminal(undefined);
    emitRun(stream);
    expect(text()).toBe(WARNING);
  });
});

test("the line of progress follows a run, its confirmations and its monitors", () => {
  const one = { slug: "alpha", url: "https://a.example/" } as const;
  const bad = failed("tcp-timeout");
  const measured = (done: number, result: ReturnType<typeof resultOf>) =>
    ({ event: "endpoint-measured", ...one, result, done, total: 3 }) as unknown as RunEvent;
  const confirming = (attempt: number) =>
    ({ event: "confirming", ...one, attempt }) as unknown as RunEvent;
  const events: readonly (readonly [RunEvent, string])[] = [
    [
      { event: "run-started", atMs: 0, services: 1, endpoints: 3 },
      "Probed 0 of 3 endpoints, 0 failing",
    ],
    [measured(1, resultOf(ok())), "Probed 1 of 3 endpoints, 0 failing"],
    [
      confirming(1),
      "Probed 1 of 3 endpoints, 0 failing, confirming 1 that changed (takes up to three minutes)",
    ],
    [
      confirming(2),
      "Probed 1 of 3 endpoints, 0 failing, confirming 1 that changed (takes up to three minutes)",
    ],
    [measured(2, { ...resultOf(bad), attempts: [bad, bad] }), "Probed 2 of 3 endpoints, 1 failing"],
    [
      { event: "monitors-started", monitors: 7 },
      "Probed 2 of 3 endpoints, 1 failing; checked 0 of 7 monitors",
    ],
    [
      { event: "monitors-checked", done: 5, total: 7 },
      "Probed 2 of 3 endpoints, 1 failing; checked 5 of 7 monitors",
    ],
    [
      { event: "run-started", atMs: 0, services: 1, endpoints: 2 },
      "Probed 0 of 2 endpoints, 0 failing",
    ],
  ];
  let progress: Readonly<typeof NOTHING_DONE> = NOTHING_DONE;
  for (const [event, text] of events) {
    progress = updateProgress(progress, event);
    expect(describeProgress(progress)).toBe(text);
  }
});
