import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createGuard,
  createRangeTest,
  SPECIAL_PURPOSE,
  specialPurposeOf,
} from "../../src/probe/network/address-guard.ts";

// The oracle: the registries again, as plain numbers, with separate arithmetic.

type Block = readonly [start: bigint, bits: number];

function v4(text: string): bigint {
  return text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

/** Eight groups in full, so that the oracle needs no rule for "::". */
function v6(groups: string): bigint {
  const parts = groups.split(":").map((part) => BigInt(`0x${part}`));
  return parts.reduce((sum, part) => (sum << 16n) | part, 0n) << BigInt(16 * (8 - parts.length));
}

const ORACLE_V4: readonly Block[] = [
  [v4("0.0.0.0"), 8],
  [v4("10.0.0.0"), 8],
  [v4("100.64.0.0"), 10],
  [v4("127.0.0.0"), 8],
  [v4("168.63.129.16"), 32],
  [v4("169.254.0.0"), 16],
  [v4("172.16.0.0"), 12],
  [v4("192.0.0.0"), 24],
  [v4("192.0.2.0"), 24],
  [v4("192.31.196.0"), 24],
  [v4("192.52.193.0"), 24],
  [v4("192.88.99.0"), 24],
  [v4("192.168.0.0"), 16],
  [v4("192.175.48.0"), 24],
  [v4("198.18.0.0"), 15],
  [v4("198.51.100.0"), 24],
  [v4("203.0.113.0"), 24],
  [v4("224.0.0.0"), 3],
];

const ORACLE_V6: readonly Block[] = [
  [v6("2001:0"), 23],
  [v6("2001:db8"), 32],
  [v6("2002"), 16],
  [v6("2620:4f:8000"), 48],
  [v6("3ffe"), 16],
  [v6("3fff:0"), 20],
];

const LOW_32 = 0xffff_ffffn;

function isInside(value: bigint, [start, bits]: Block, width: number): boolean {
  return value >> BigInt(width - bits) === start >> BigInt(width - bits);
}

function isSpecialV4(value: bigint): boolean {
  return ORACLE_V4.some((block) => isInside(value, block, 32));
}

function isSpecialV6(value: bigint): boolean {
  if (isInside(value, [v6("64:ff9b:0:0:0:0"), 96], 128)) return isSpecialV4(value & LOW_32);
  if (value >> 125n !== 1n) return true;
  if (ORACLE_V6.some((block) => isInside(value, block, 128))) return true;
  const interfaceHead = (value >> 32n) & LOW_32;
  const isIsatap = interfaceHead === 0x0000_5efen || interfaceHead === 0x0200_5efen;
  return isIsatap && isSpecialV4(value & LOW_32);
}

function writeV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
}

function groupsOf(value: bigint): string[] {
  return Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
}

/** The notations of one IPv6 address. */
function writeV6(value: bigint, form: number): string {
  const groups = groupsOf(value);
  if (form === 0) return groups.join(":");
  if (form === 1) return groups.map((group) => group.padStart(4, "0").toUpperCase()).join(":");
  if (form === 2) return `${groups.slice(0, 6).join(":")}:${writeV4(value & LOW_32)}`;
  return groups.join(":").replace(/(^|:)0(:0)+(:|$)/, "::");
}

/** Addresses at and next to every boundary, where errors are likely, and from the whole space. */
function nearBoundaries(blocks: readonly Block[], width: number): fc.Arbitrary<bigint> {
  const limit = 1n << BigInt(width);
  return fc
    .tuple(fc.constantFrom(...blocks), fc.constantFrom(-2n, -1n, 0n, 1n), fc.boolean())
    .map(([[start, bits], step, isEnd]) => start + (isEnd ? 1n << BigInt(width - bits) : 0n) + step)
    .filter((value) => value >= 0n && value < limit);
}

const anyV4 = fc.oneof(fc.bigInt(0n, LOW_32), nearBoundaries(ORACLE_V4, 32));

const EMBEDDED_V6: readonly ((inner: bigint, rest: bigint) => bigint)[] = [
  (inner) => v6("64:ff9b:0:0:0:0") | inner,
  (inner) => v6("0:0:0:0:0:ffff") | inner,
  (inner) => inner,
  (inner, rest) => v6("64:ff9b:1") | (rest << 32n) | inner,
  (inner, rest) => v6("2002") | (inner << 80n) | rest,
  (inner, rest) => v6("2001:0") | (rest << 32n) | (inner ^ LOW_32),
  (inner) => v6("2a00:1450:0:0:0:5efe") | inner,
  (inner) => v6("2a00:1450:0:0:200:5efe") | inner,
];

const anyV6 = fc.oneof(
  fc.bigInt(0n, (1n << 128n) - 1n),
  fc.bigInt(v6("2000"), v6("4000") - 1n),
  nearBoundaries([...ORACLE_V6, [v6("64:ff9b:0:0:0:0"), 96], [v6("2000"), 3]], 128),
  fc
    .tuple(fc.constantFrom(...EMBEDDED_V6), anyV4, fc.bigInt(0n, 0xffff_ffffn))
    .map(([embed, inner, rest]) => embed(inner, rest)),
);

describe("the guard agrees with independent arithmetic", () => {
  test("for IPv4 addresses", () => {
    fc.assert(
      fc.property(anyV4, (value) => {
        expect(specialPurposeOf(writeV4(value)) !== undefined).toBe(isSpecialV4(value));
      }),
      { numRuns: 5_000 },
    );
  });

  test("for IPv6 addresses in every notation", () => {
    fc.assert(
      fc.property(anyV6, fc.nat(3), (value, form) => {
        expect(specialPurposeOf(writeV6(value, form)) !== undefined).toBe(isSpecialV6(value));
      }),
      { numRuns: 10_000 },
    );
  });

  test("and with Node's BlockList over the same table", () => {
    const blocked = new BlockList();
    for (const [cidr] of SPECIAL_PURPOSE) {
      const [network = "", bits] = cidr.split("/");
      // Node's list treats a mapped address as the IPv4 address in it; the guard refuses all of them.
      if (network !== "::ffff:0:0") {
        blocked.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
      }
    }
    fc.assert(
      fc.property(anyV4, (value) => {
        const text = writeV4(value);
        expect(specialPurposeOf(text) !== undefined).toBe(blocked.check(text, "ipv4"));
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(anyV6, (value) => {
        const text = writeV6(value, 0);
        if (blocked.check(text, "ipv6")) expect(specialPurposeOf(text)).toBeDefined();
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("the name describes the address", () => {
  test.each([
    ["0.0.0.0", "This host on this network"],
    ["0.1.2.3", "This network"],
    ["10.1.2.3", "Private-Use"],
    ["100.64.0.1", "Shared Address Space"],
    ["127.0.0.1", "Loopback"],
    ["169.254.1.1", "Link Local"],
    ["172.31.255.255", "Private-Use"],
    ["192.0.0.1", "IPv4 Service Continuity Prefix"],
    ["192.0.0.9", "Port Control Protocol Anycast"],
    ["192.88.99.2", "6a44-relay anycast address"],
    ["198.19.255.255", "Benchmarking"],
    ["239.255.255.250", "Multicast"],
    ["240.0.0.1", "Reserved"],
    ["255.255.255.255", "Limited Broadcast"],
    ["169.254.169.254", "Cloud metadata"],
    ["168.63.129.16", "Cloud platform (Azure)"],
    ["100.100.100.200", "Cloud metadata (Alibaba Cloud)"],
    ["fd00:ec2::254", "Cloud metadata (AWS)"],
    ["fd20:ce::254", "Cloud metadata (Google Cloud)"],
    ["::", "Unspecified Address"],
    ["::1", "Loopback Address"],
    ["::8.8.8.8", "IPv4-compatible Address"],
    ["::ffff:8.8.8.8", "IPv4-mapped Address"],
    ["::ffff:7f00:1", "IPv4-mapped Address"],
    ["::ffff:0:8.8.8.8", "IPv4-translated Address"],
    ["64:ff9b::7f00:1", "NAT64 of Loopback"],
    ["64:ff9b::169.254.169.254", "NAT64 of Cloud metadata"],
    ["64:ff9b:1::8.8.8.8", "IPv4-IPv6 Translation (local use)"],
    ["64:ff9b:1:808:8:800::", "IPv4-IPv6 Translation (local use)"],
    ["2002:a00:1::1", "6to4"],
    ["2002:808:808::1", "6to4"],
    ["2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "6to4"],
    ["3ffe::1", "Returned (6bone)"],
    ["3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "Returned (6bone)"],
    ["2001::1", "Teredo"],
    ["2a00:1450::5efe:192.168.0.1", "ISATAP of Private-Use"],
    ["100::1", "Discard-Only Address Block"],
    ["100:0:0:1::1", "Dummy IPv6 Prefix"],
    ["2001:1::1", "Port Control Protocol Anycast"],
    ["2001:20::1", "ORCHIDv2"],
    ["2001:1ff::1", "IETF Protocol Assignments"],
    ["2001:db8::1", "Documentation"],
    ["3fff:fff::1", "Documentation"],
    ["5f00::1", "Segment Routing (SRv6) SIDs"],
    ["fc00::1", "Unique-Local"],
    ["fe80::1", "Link-Local Unicast"],
    ["fec0::1", "Deprecated (Site-Local)"],
    ["ff02::1", "Multicast"],
    ["4000::1", "Outside global unicast 2000::/3"],
    ["192.0.0.8", "IPv4 dummy address"],
    ["192.0.0.10", "TURN Anycast"],
    ["192.0.0.100", "IETF Protocol Assignments"],
    ["192.0.0.170", "NAT64/DNS64 Discovery"],
    ["192.0.0.171", "NAT64/DNS64 Discovery"],
    ["192.0.2.1", "Documentation (TEST-NET-1)"],
    ["192.31.196.1", "AS112-v4"],
    ["192.52.193.1", "AMT"],
    ["192.88.99.1", "Deprecated (6to4 Relay Anycast)"],
    ["192.168.0.1", "Private-Use"],
    ["192.175.48.1", "Direct Delegation AS112 Service"],
    ["198.51.100.1", "Documentation (TEST-NET-2)"],
    ["203.0.113.1", "Documentation (TEST-NET-3)"],
    ["169.254.170.2", "Cloud metadata (Amazon ECS)"],
    ["169.254.170.23", "Cloud metadata (Amazon EKS)"],
    ["192.0.0.192", "Cloud metadata (Oracle Cloud)"],
    ["2001:1::2", "TURN Anycast"],
    ["2001:1::3", "DNS-SD SRP Anycast"],
    ["2001:2::1", "Benchmarking"],
    ["2001:3::1", "AMT"],
    ["2001:4:112::1", "AS112-v6"],
    ["2001:10::1", "Deprecated (ORCHID)"],
    ["2001:30::1", "Drone Remote ID Entity Tags"],
    ["2620:4f:8000::1", "Direct Delegation AS112 Service"],
    ["fd00:42::42", "Cloud metadata (Scaleway)"],
    ["fd00:ec2::23", "Cloud metadata (Amazon EKS)"],
    ["2a00:1450::200:5efe:10.0.0.1", "ISATAP of Private-Use"],
  ])("%s: %s", (address, name) => {
    expect(specialPurposeOf(address)).toBe(name);
  });

  test.each([
    "8.8.8.8",
    "77.88.55.242",
    "1.0.0.0",
    "223.255.255.255",
    "192.0.1.255",
    "2a02:6b8::2:242",
    "2001:200::1",
    "2606:4700::1111",
    "64:ff9b::8.8.8.8",
    "2003::1",
    "3ffd:ffff::1",
    "2a00:1450::5efe:8.8.8.8",
    "2a00:1450::100:5efe:10.0.0.1",
    "2a00:1450::300:5efe:10.0.0.1",
    "2a00:1450::1:5efe:10.0.0.1",
    "2a00:1450::5dfe:10.0.0.1",
    "2a00:1450::5eff:10.0.0.1",
  ])("%s is an ordinary address", (address) => {
    expect(specialPurposeOf(address)).toBeUndefined();
  });
});

test.each([
  "",
  "localhost",
  "2130706433",
  "0x7f.1",
  "0x7f000001",
  "127.1",
  "010.0.0.1",
  "8.8.8.08",
  "8.8.8.8 ",
  " 8.8.8.8",
  "8.8.8.8.",
  "8.8.8.8:80",
  "8.8.8.8/32",
  "８.8.8.8",
  "[2a02:6b8::1]",
  "2a02:6b8::1%eth0",
  "2a02:6b8:::1",
  "1:2:3:4:5:6:7:8:9",
  "::ffff:8.8.8.08",
])("%j is not an address and is refused", (text) => {
  expect(specialPurposeOf(text)).toBe("Not an IP address");
  expect(createGuard(["0.0.0.0/0", "::/0"])(text)).toBe("Not an IP address");
});

test("the entries of the table are unique and exact CIDRs", () => {
  const cidrs = SPECIAL_PURPOSE.map(([cidr]) => cidr);
  expect(new Set(cidrs).size).toBe(cidrs.length);
  expect(() => createGuard(cidrs)).not.toThrow();
});

test("an address of this machine is refused, unless it is allowed", () => {
  const guard = createGuard(["10.0.0.0/8"], ["8.8.8.8", "10.0.0.1"]);
  expect(["8.8.8.8", "8.8.4.4", "10.0.0.1", "192.168.0.1"].map((one) => guard(one))).toEqual([
    "an address of this machine",
    undefined,
    undefined,
    "Private-Use",
  ]);
});

describe("allowed ranges", () => {
  test("allow exactly their own addresses", () => {
    const guard = createGuard(["10.20.0.0/16", "127.0.0.1/32", "fd12::/16"]);
    expect(guard("10.20.255.255")).toBeUndefined();
    expect(guard("10.21.0.0")).toBe("Private-Use");
    expect(guard("127.0.0.1")).toBeUndefined();
    expect(guard("127.0.0.2")).toBe("Loopback");
    expect(guard("fd12:3456::1")).toBeUndefined();
    expect(guard("fd13::1")).toBe("Unique-Local");
    expect(guard("8.8.8.8")).toBeUndefined();
  });

  test("apply only to their own family, embedded addresses included", () => {
    const allV4 = createGuard(["0.0.0.0/0"]);
    expect(allV4("169.254.169.254")).toBeUndefined();
    for (const address of [
      "::1",
      "::ffff:127.0.0.1",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "fe80::1",
    ]) {
      expect(allV4(address)).toBeDefined();
    }
    const allV6 = createGuard(["::/0"]);
    expect(allV6("::1")).toBeUndefined();
    expect(allV6("127.0.0.1")).toBe("Loopback");
  });

  test("without any, the guard equals specialPurposeOf", () => {
    const guard = createGuard([]);
    fc.assert(
      fc.property(
        fc.oneof(
          anyV4.map(writeV4),
          anyV6.map((value) => writeV6(value, 3)),
        ),
        (text) => {
          expect(guard(text)).toBe(specialPurposeOf(text));
        },
      ),
    );
  });

  test.each([
    ["10.0.0.0", "is not a range"],
    ["10.0.0.0/", "is not a range"],
    ["10.0.0.0/33", "is not a range"],
    ["10.0.0.0/8/8", "is not a range"],
    ["10.0.0.0/-1", "is not a range"],
    ["10.0.0.0/8x", "is not a range"],
    ["10/8", "is not a range"],
    ["::/129", "is not a range"],
    ["intranet", "is not a range"],
    ["", "is not a range"],
    ["10.0.0.1/8", "did you mean 10.0.0.0/8"],
    ["fd00::1/8", "did you mean fd00::/8"],
  ])("%j is refused with a message that names it", (cidr, expected) => {
    expect(() => createGuard([cidr])).toThrow(RangeError);
    expect(() => createGuard([cidr])).toThrow(JSON.stringify(cidr));
    expect(() => createGuard([cidr])).toThrow(expected);
  });

  test.each([
    [
      "10.0.0.1/8",
      '"10.0.0.1/8" has address bits beyond its prefix; did you mean 10.0.0.0/8, or 10.0.0.1/32 for the one address?',
    ],
    [
      "fd00::1/8",
      '"fd00::1/8" has address bits beyond its prefix; did you mean fd00::/8, or fd00::1/128 for the one address?',
    ],
    [
      "10.0.0.0/33",
      '"10.0.0.0/33" is not a range of addresses; write it like 10.0.0.0/8 or fd00::/8.',
    ],
  ])("%j is refused with what to write", (cidr, message) => {
    expect(() => createGuard([cidr])).toThrow(new RangeError(message));
  });

  test.each(["0.0.0.0/0", "::/0", "10.0.0.0/32", "fd00::1/128", "::8.8.8.8/128"])(
    "%s is a range",
    (cidr) => {
      const isInRange = createRangeTest([cidr]);
      expect(isInRange(cidr.split("/")[0] ?? "")).toBe(true);
      expect(isInRange("nothing")).toBe(false);
    },
  );
});
