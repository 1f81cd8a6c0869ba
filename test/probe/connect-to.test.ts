import { describe, expect, test } from "vitest";
import { findConnectTo, parseConnectTo } from "../../src/probe/network/connect-to.ts";

function find(lines: readonly string[], host: string, port: number) {
  const parsed = parseConnectTo(lines);
  if (parsed.kind === "invalid") throw new Error(parsed.problems.join("\n"));
  return findConnectTo(parsed.rules, host, port);
}

function problemsOf(line: string): readonly string[] {
  const parsed = parseConnectTo([line]);
  return parsed.kind === "invalid" ? parsed.problems : [];
}

describe("a rule redirects a connection", () => {
  const to = { address: "127.0.0.1", port: 8443 };
  test.each([
    ["ya.ru:443:127.0.0.1:8443", "ya.ru", 443, to],
    ["ya.ru:443:127.0.0.1:8443", "YA.RU", 443, to],
    ["ya.ru:443:127.0.0.1:8443", "ya.ru.", 443, to],
    ["Ya.Ru.:443:127.0.0.1:8443", "ya.ru", 443, to],
    ["ya.ru:443:127.0.0.1:8443", "ya.ru", 80, undefined],
    ["ya.ru:443:127.0.0.1:8443", "www.ya.ru", 443, undefined],
    [":443:127.0.0.1:8443", "anything.example", 443, to],
    [":443:127.0.0.1:8443", "anything.example", 80, undefined],
    ["ya.ru::127.0.0.1:8443", "ya.ru", 12_345, to],
    ["::127.0.0.1:8443", "anything.example", 1, to],
    ["ya.ru:443::8443", "ya.ru", 443, { port: 8443 }],
    ["ya.ru:443:127.0.0.1:", "ya.ru", 443, { address: "127.0.0.1", port: 443 }],
    ["ya.ru::127.0.0.1:", "ya.ru", 80, { address: "127.0.0.1", port: 80 }],
    ["ya.ru:443:[::1]:8443", "ya.ru", 443, { address: "::1", port: 8443 }],
    ["[2A00:0:0::1]:443:127.0.0.1:8443", "[2a00::1]", 443, to],
    ["[2a00::1]:443:127.0.0.1:8443", "2a00::1", 443, to],
    ["192.0.2.7:443:127.0.0.1:8443", "192.0.2.7", 443, to],
    ["госавтоинспекция.рф:443:127.0.0.1:8443", "xn--80aebkobnwfcnsfk1e0h.xn--p1ai", 443, to],
    [":::", "ya.ru", 443, { port: 443 }],
  ])("%s for %s port %d", (line, host, port, expected) => {
    expect(find([line], host, port)).toEqual(expected);
  });
});

test("the first matching rule applies, exact or not", () => {
  const exact = "ya.ru:443:127.0.0.1:1";
  const anyPort = "ya.ru::127.0.0.1:2";
  const anyHost = ":443:127.0.0.1:3";
  const any = "::127.0.0.1:4";
  expect(find([exact, anyPort, anyHost, any], "ya.ru", 443)?.port).toBe(1);
  expect(find([anyPort, exact, anyHost, any], "ya.ru", 443)?.port).toBe(2);
  expect(find([anyHost, exact, anyPort, any], "ya.ru", 443)?.port).toBe(3);
  expect(find([any, exact, anyPort, anyHost], "ya.ru", 443)?.port).toBe(4);
  expect(find([exact, "ya.ru:443:127.0.0.1:9"], "ya.ru", 443)?.port).toBe(1);
  expect(find([exact, anyPort, anyHost, any], "ya.ru", 80)?.port).toBe(2);
  expect(find([exact, anyPort, anyHost, any], "vk.com", 80)?.port).toBe(4);
});

test("blank lines and comments are skipped", () => {
  const lines = ["# lab", "", "   ", "  ya.ru:443:127.0.0.1:8443  ", "#ya.ru:80:127.0.0.1:1"];
  expect(find(lines, "ya.ru", 443)).toEqual({ address: "127.0.0.1", port: 8443 });
  expect(find(lines, "ya.ru", 80)).toBeUndefined();
  expect(find([], "ya.ru", 443)).toBeUndefined();
});

describe("a broken rule is reported with its text", () => {
  test.each([
    ["ya.ru:443:localhost:8443", '"localhost" is not an IP address'],
    ["ya.ru:443:[127.0.0.1]:8443", '"[127.0.0.1]" is not an IP address'],
    ["ya.ru:443:0x7f.1:8443", '"0x7f.1" is not an IP address'],
    ["ya.ru:443:127.0.0.1", "HOST:PORT:ADDR:PORT"],
    ["ya.ru:443:::1:8443", "square brackets"],
    ["ya.ru:443:127.0.0.1:8443:9", "HOST:PORT:ADDR:PORT"],
    ["ya.ru:0:127.0.0.1:8443", 'the port "0"'],
    ["ya.ru:65536:127.0.0.1:8443", 'the port "65536"'],
    ["ya.ru:443:127.0.0.1:https", 'the port "https"'],
    ["ya ru:443:127.0.0.1:8443", 'the host "ya ru"'],
    ["[127.0.0.1]:443:127.0.0.1:8443", 'the host "[127.0.0.1]"'],
  ])("%s", (line, expected) => {
    const problems = problemsOf(line);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
    expect(problems[0]).toMatchSnapshot();
    expect(problems[0]).toContain(JSON.stringify(line));
  });

  test("all broken rules are reported at once", () => {
    const parsed = parseConnectTo(["a:b:c:d", "ya.ru:443:127.0.0.1:8443", "nonsense"]);
    expect(parsed).toMatchObject({ kind: "invalid" });
    expect(parsed.kind === "invalid" && parsed.problems).toHaveLength(4);
  });
});

test("each of six hundred rules matches its own host", () => {
  const lines = Array.from({ length: 600 }, (_, i) => `host${i}.example::127.0.0.1:${i + 1}`);
  const parsed = parseConnectTo(lines);
  if (parsed.kind === "invalid") throw new Error(parsed.problems.join("\n"));
  expect(parsed.rules.byKey.size).toBe(600);
  const ports = lines.map((_, i) => findConnectTo(parsed.rules, `host${i}.example`, 443)?.port);
  expect(ports).toEqual(lines.map((_, i) => i + 1));
});
