import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { OPERATOR_SCHEMAS } from "../../src/contract/operators.ts";
import { parseAddress } from "../../src/http-server/network-key.ts";
import { OPERATORS } from "../../src/contract/codes/operator.ts";
import {
  compileOperators,
  networkNumber,
  OPERATOR_NETWORKS_FILE,
} from "../../src/reports/operators/operator-table.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import { addressOf, startIntake } from "../cli/running-intake.ts";

/* No byte that an intake stores, publishes, logs or measures tells the address of a report. */

const cliFixture = useCliFixture();
const REPORTS = 100_000;
const AT_ONCE = 256;
const SLUGS = ["alpha", "beta"];
/** Of МТС, by `data/operator-networks.txt`. */
const MTS_PREFIX = "2a00:1fa0";

/** Two of three are IPv4, the others IPv6 of МТС. */
function addressAt(n: number): string {
  if (n % 3 < 2) return addressOf(n);
  return `${MTS_PREFIX}:${(n % 65_536).toString(16)}:${Math.floor(n / 65_536) + 1}::9`;
}

/** What would tell an address: its network, as text, as a number, and as bytes. */
function createSearch(addresses: readonly string[]) {
  const [texts, numbers, bytes] = [new Set<string>(), new Set<string>(), [] as Buffer[]];
  for (const [place, text] of addresses.entries()) {
    const address = parseAddress(text);
    if (address === undefined) throw new TypeError(text);
    const { family, parts } = address;
    if (family === "ipv4") {
      texts.add(parts.slice(0, 3).join("."));
      numbers.add(String(parts.reduce((sum, part) => sum * 256 + part, 0)));
      continue;
    }
    const groups = parts.slice(0, 3).map((part) => part.toString(16));
    texts.add(groups.join(":"));
    numbers.add(String(networkNumber(address)));
    // Six bytes of some: by chance they are in no file.
    if (place % 997 === 2) {
      const raw = Buffer.alloc(6);
      for (const [at, part] of parts.slice(0, 3).entries()) raw.writeUInt16BE(part, 2 * at);
      bytes.push(raw, Buffer.from(raw.toReversed()));
    }
  }
  const inText = (text: string): readonly string[] => [
    ...[...text.matchAll(/\d{1,3}\.\d{1,3}\.\d{1,3}/gu)].map(([found]) => found),
    ...[...text.matchAll(/[0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}/giu)].map(([found]) =>
      found.toLowerCase(),
    ),
    ...[...text.matchAll(/\d{10,15}/gu)].map(([found]) => found),
  ];
  /** Everything in the bytes that tells an address, also below base64. */
  return function find(body: Buffer): readonly string[] {
    const text = body.toString("latin1");
    const told = inText(text).filter((found) => texts.has(found) || numbers.has(found));
    const raw = bytes.filter((one) => body.includes(one)).map((one) => one.toString("hex"));
    const inner = [...text.matchAll(/"([A-Za-z0-9+/]{16,}={0,2})"/gu)].flatMap(([, packed = ""]) =>
      packed.length < body.length - 2 ? find(Buffer.from(packed, "base64")) : [],
    );
    return [...told, ...raw, ...inner];
  };
}

test("the search finds an address as text, as a number, as bytes and in base64", () => {
  const addresses = Array.from({ length: 12 }, (_, n) => addressAt(n));
  const find = createSearch(addresses);
  const v6 = Buffer.from("2a001fa00002", "hex");
  const hidden = [
    Buffer.from(`x ${addressAt(1)} y`),
    Buffer.from(`{"n":${129 * 2 ** 24 + 9}}`),
    Buffer.from(`{"of":"${MTS_PREFIX}:2:1::9"}`),
    Buffer.concat([Buffer.from("....."), v6, Buffer.from("..")]),
    Buffer.from(
      JSON.stringify({ column: Buffer.from(`in ${addressAt(4)} it`).toString("base64") }),
    ),
  ];
  for (const body of hidden) expect(find(body).length, body.toString()).toBeGreaterThan(0);
  expect(find(Buffer.from("198.51.100.7, 2001:db8:1:: and 1795000000000"))).toEqual([]);
});

/** Every file below a folder that is still there, unpacked. */
async function filesIn(folder: string): Promise<readonly (readonly [string, Buffer])[]> {
  const names = await readdir(folder, { recursive: true });
  const found = names.map(async (name) => {
    const path = join(folder, name);
    if (!(await stat(path)).isFile()) return [];
    const body = await readFile(path);
    return [[name, name.endsWith(".gz") ? gunzipSync(body) : body] as const];
  });
  const settled = await Promise.allSettled(found);
  return settled.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

test("100,000 reports leave no address in any file, log or metric", async () => {
  const { folder } = await cliFixture.workspace();
  const stores = ["--store", "file:out/public", "--state", "file:out/state"];
  const options = ["--catalogue", "catalogue.json", ...stores, "--set", "proxy=127.0.0.1"];
  const intake = await startIntake([...options, "--set", "journal=out/journal"], { cwd: folder });
  const out = join(folder, "out");
  const addresses = Array.from({ length: REPORTS }, (_, n) => addressAt(n));
  const find = createSearch(addresses);
  const told: string[] = [];
  const look = async (): Promise<number> => {
    const files = await filesIn(out);
    for (const [name, body] of files) for (const one of find(body)) told.push(`${name}: ${one}`);
    return files.length;
  };
  let next = 0;
  const statuses = new Map<number, number>();
  const post = async (): Promise<void> => {
    while (next < REPORTS) {
      const n = next;
      next += 1;
      const from = addresses[n] ?? "";
      const { status } = await intake.post(SLUGS[n % 2] ?? "", { from });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // While reports are in the inbox, before they are counted.
      if (n % 20_000 === 10_000) await look();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, post));
  expect(statuses).toEqual(new Map([[202, REPORTS]]));
  const metrics = await (await fetch(`${intake.operationsUrl}/metrics`)).text();
  expect(await intake.stop()).toBe(0);
  expect(await look()).toBeGreaterThan(20);
  const rest = [metrics, intake.log()].map((text) => Buffer.from(text));
  expect([...told, ...rest.flatMap(find)]).toEqual([]);
  const sums = JSON.parse(await readFile(join(out, "public/operators/v1.json"), "utf8"));
  const { services } = OPERATOR_SCHEMAS.OperatorReports.parse(sums);
  const ofMts = services.map(({ operators }) =>
    operators.find(({ operator }) => operator === "mts"),
  );
  const reports = ofMts.map((sum) => sum?.reportsHour);
  const operatorOf = compileOperators(await readFile(OPERATOR_NETWORKS_FILE, "utf8"));
  const isOfMts = addresses.map((text) => {
    const address = parseAddress(text);
    return address !== undefined && OPERATORS[operatorOf(address)] === "mts";
  });
  const expected = SLUGS.map((_, slug) => isOfMts.filter((is, n) => is && n % 2 === slug).length);
  expect(reports).toEqual(expected);
});
