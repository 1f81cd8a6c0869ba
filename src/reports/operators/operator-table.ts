import { OPERATORS, OTHER_OPERATOR } from "../../contract/codes/operator.ts";
import { type Address, parseAddress } from "../../http-server/network-key.ts";
import { firstIndexWhere } from "../../model/lists.ts";
import { PROGRAM_FOLDER } from "../../model/program-folder.ts";

/** The networks of operators that ship with the program; `npm run operators` makes them. */
export const OPERATOR_NETWORKS_FILE: URL = new URL("data/operator-networks.txt", PROGRAM_FOLDER);

/** The number of the operator of an address. */
export type OperatorOf = (address: Address) => number;

/** Networks are told apart by this many bits of an address. */
export const NETWORK_BITS: Readonly<Record<Address["family"], number>> = { ipv4: 24, ipv6: 48 };

/**
 * A table that finds the operator of an address by its /24 or /48, in sorted arrays: some 40 kB in memory. A line of the text has the form
 * that the block `geo` of nginx includes: a network and an operator, such as `10.0.0.0/16 mts;`. Networks of an operator that this version
 * does not know are another one's. Throws an `Error` that names the first broken line.
 */
export function compileOperators(text: string): OperatorOf {
  const ranges = text.split("\n").flatMap((line, index) => readLine(line, index + 1));
  const tables = { ipv4: toRanges(ranges, "ipv4"), ipv6: toRanges(ranges, "ipv6") };
  return (address) => find(tables[address.family], networkNumber(address));
}

/** One number for the /24 or /48 of an address. */
export function networkNumber({ family, parts: [a = 0, b = 0, c = 0] }: Address): number {
  const base = family === "ipv4" ? 2 ** 8 : 2 ** 16;
  return (a * base + b) * base + c;
}

const LINE = /^(?<address>[0-9a-f.:]+)\/(?<prefix>\d+) (?<name>[a-z0-9-]+);$/u;

function readLine(line: string, number: number) {
  if (line === "" || line.startsWith("#")) return [];
  const { address = "", prefix, name } = LINE.exec(line)?.groups ?? {};
  const begin = parseAddress(address);
  const bits = begin === undefined ? NaN : NETWORK_BITS[begin.family] - Number(prefix);
  if (begin === undefined || !(bits >= 0))
    throw new Error(`Networks of operators: line ${number} is not a network and an operator`);
  const first = networkNumber(begin);
  const known = OPERATORS.findIndex((operator) => operator === name);
  const operator = Math.max(known, OTHER_OPERATOR);
  return [{ family: begin.family, first, last: first + 2 ** bits - 1, operator }];
}

/** Networks of one family, sorted: the first and the last of each range, and its operator. */
function toRanges(ranges: ReturnType<typeof readLine>, family: Address["family"]) {
  const own = ranges
    .filter((range) => range.family === family)
    .toSorted((a, b) => a.first - b.first);
  return {
    first: Float64Array.from(own, ({ first }) => first),
    last: Float64Array.from(own, ({ last }) => last),
    operators: Uint8Array.from(own, ({ operator }) => operator),
  };
}

function find({ first, last, operators }: ReturnType<typeof toRanges>, network: number): number {
  const place = firstIndexWhere(first.length, (index) => (first[index] ?? 0) > network) - 1;
  return network <= (last[place] ?? -1) ? (operators[place] ?? OTHER_OPERATOR) : OTHER_OPERATOR;
}
