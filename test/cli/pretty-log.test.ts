import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { FINE } from "../../src/model/connectivity.ts";
import { createPrettyLog } from "../../src/log/pretty.ts";

/** A stream that says of itself what a terminal would, and keeps what is written. */
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

function tell(stream: NodeJS.WriteStream): void {
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
  test("shows progress on a terminal and gives the cursor back at the end", () => {
    const { stream, text } = terminal(100);
    tell(stream);
    expect(text()).toContain("Asking the anchors");
    expect(text()).toContain(WARNING);
    expect(text().lastIndexOf("\u001B[?25h")).toBeGreaterThan(text().lastIndexOf("\u001B[?25l"));
  });

  test("writes sentences alone to a terminal without a width, instead of counting rows forever", () => {
    const { stream, text } = terminal(0);
    tell(stream);
    expect(text()).toBe(WARNING);
  });

  test("says what becomes of a website without an address, and how to give it one", () => {
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

  test("names the first monitors that are refused or have mixed addresses, and counts the rest", () => {
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

  test("tells the state of the way once, and again when it changes", () => {
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
    expect(lines[0]).toMatch(/^The runner's way abroad is cut: .*: https:\/\/f\.example\/\.$/u);
    expect(lines[1]).toContain("only a part of the domestic networks");
    expect(lines[2]).toMatch(/^The runner is offline: 1 anchors do not answer/u);
  });

  test("writes sentences alone to a file", () => {
    const { stream, text } = terminal(undefined);
    tell(stream);
    expect(text()).toBe(WARNING);
  });
});
