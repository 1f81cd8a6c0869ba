import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { OPERATORS } from "../src/contract/codes/operator.ts";
import { type Address, parseAddress } from "../src/http-server/network-key.ts";
import {
  NETWORK_BITS,
  networkNumber,
  OPERATOR_NETWORKS_FILE,
} from "../src/reports/operators/operator-table.ts";

/*
 * `npm run operators -- FILE…`: writes `data/operator-networks.txt`, from tables of all networks (CSV: first address, last address, number
 * of the autonomous system, its owner) and from the owners in `data/operators.json`. `data/README.md` says where such tables are.
 */

const OWNERS_FILE = new URL("../data/operators.json", import.meta.url);

/** Networks from the first to the last, by their numbers. */
interface Range {
  readonly family: Address["family"];
  readonly first: number;
  readonly last: number;
  readonly operator: string;
}

/** The operator of each owner of networks. Throws if an operator is not one of ours. */
function readOwners(): ReadonlyMap<string, string> {
  const owners: Record<string, readonly string[]> = JSON.parse(readFileSync(OWNERS_FILE, "utf8"));
  const unknown = Object.keys(owners).find((name) => OPERATORS.every((known) => known !== name));
  if (unknown !== undefined) throw new Error(`data/operators.json: no operator is ${unknown}`);
  return new Map(
    Object.entries(owners).flatMap(([operator, names]) => names.map((name) => [name, operator])),
  );
}

const ROW = /^(?<from>[^,]+),(?<to>[^,]+),\d+,(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>.*))$/u;

/** The ranges of our operators in a table. Throws if a row is not of its format. */
async function readTable(
  path: string,
  owners: ReadonlyMap<string, string>,
): Promise<readonly Range[]> {
  const found: Range[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { from = "", to = "", quoted, plain = "" } = ROW.exec(line)?.groups ?? {};
    const [first, last] = [parseAddress(from), parseAddress(to)];
    if (first === undefined || last === undefined)
      throw new Error(`${path}: this row is not of such a table: ${line}`);
    const operator = owners.get(quoted?.replaceAll('""', '"') ?? plain);
    const { family } = first;
    if (operator !== undefined)
      found.push({ family, first: networkNumber(first), last: networkNumber(last), operator });
  }
  return found;
}

/** Sorted, with neighbours of one operator joined. A network of two operators is that of the later one. */
function join(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.toSorted(
    (a, b) => a.family.localeCompare(b.family) || a.first - b.first || a.last - b.last,
  );
  const joined: Range[] = [];
  for (const range of sorted) {
    const before = joined.at(-1);
    const isNext = before?.family === range.family && before.last + 1 >= range.first;
    if (isNext && before.operator === range.operator)
      joined[joined.length - 1] = { ...before, last: Math.max(before.last, range.last) };
    else {
      if (isNext) joined[joined.length - 1] = { ...before, last: range.first - 1 };
      joined.push(range);
    }
  }
  return joined;
}

/** The fewest networks in CIDR notation that are a range, as lines of the file. */
function* toLines({ family, first, last, operator }: Range): Generator<string> {
  for (let at = first; at <= last;) {
    let size = 1;
    while (at % (size * 2) === 0 && at + size * 2 - 1 <= last) size *= 2;
    yield `${toText(family, at)}/${NETWORK_BITS[family] - Math.log2(size)} ${operator};`;
    at += size;
  }
}

/** The first address of a network, by its number. */
function toText(family: Address["family"], number: number): string {
  const base = family === "ipv4" ? 2 ** 8 : 2 ** 16;
  const parts = [Math.floor(number / base ** 2), Math.floor(number / base) % base, number % base];
  if (family === "ipv4") return `${parts.join(".")}.0`;
  return `${parts.map((part) => part.toString(16)).join(":")}::`.replace(/(?::0)+::$/u, "::");
}

const paths = process.argv.slice(2);
if (paths.length === 0) throw new Error("npm run operators -- FILE…: name tables of networks");
const owners = readOwners();
const tables = await Promise.all(paths.map((path) => readTable(path, owners)));
const lines = join(tables.flat()).flatMap((range) => [...toLines(range)]);
const head = `# The networks of operators, by \`npm run operators\`, for the intake and for nginx. Sources and licence: README.md`;
writeFileSync(OPERATOR_NETWORKS_FILE, `${head}\n${lines.join("\n")}\n`);
process.stdout.write(`${lines.length} networks of ${new Set(owners.values()).size} operators.\n`);
