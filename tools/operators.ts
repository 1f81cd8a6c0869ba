import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { OPERATORS } from "../src/contract/codes/operator.ts";
import { type Address, parseAddress } from "../src/http-server/network-key.ts";
import { networkNumber, OPERATOR_NETWORKS_FILE } from "../src/reports/operators/operator-table.ts";

/*
 * `npm run operators -- FILE…`: writes `data/operator-networks.txt`, from tables of all networks (CSV: first address, last address, number
 * of the autonomous system, its owner) and from the owners in `data/operators.json`. `data/README.md` says where such tables are.
 */

const OWNERS_FILE = new URL("../data/operators.json", import.meta.url);

interface Range {
  readonly first: Address;
  readonly last: Address;
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
    if (operator !== undefined) found.push({ first, last, operator });
  }
  return found;
}

/** Sorted, with neighbours of one operator joined. */
function join(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.toSorted(
    (a, b) =>
      a.first.family.localeCompare(b.first.family) ||
      networkNumber(a.first) - networkNumber(b.first),
  );
  const joined: Range[] = [];
  for (const range of sorted) {
    const before = joined.at(-1);
    const isNext =
      before?.operator === range.operator &&
      before.first.family === range.first.family &&
      networkNumber(before.last) + 1 === networkNumber(range.first);
    if (isNext) joined[joined.length - 1] = { ...before, last: range.last };
    else joined.push(range);
  }
  return joined;
}

const paths = process.argv.slice(2);
if (paths.length === 0) throw new Error("npm run operators -- FILE…: name tables of networks");
const owners = readOwners();
const tables = await Promise.all(paths.map((path) => readTable(path, owners)));
const lines = join(tables.flat()).map(
  ({ first, last, operator }) => `${first.text} ${last.text} ${operator}`,
);
const head = "# The networks of operators, by `npm run operators`. Sources and licence: README.md";
writeFileSync(OPERATOR_NETWORKS_FILE, `${head}\n${lines.join("\n")}\n`);
process.stdout.write(`${lines.length} ranges of ${new Set(owners.values()).size} operators.\n`);
