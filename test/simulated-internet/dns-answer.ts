import { isIPv4 } from "node:net";
import { encode, type Answer, type Packet, type Question } from "dns-packet";
import type { DnsBehaviour } from "./behaviour.ts";

export type Transport = "udp" | "tcp";

export interface Query {
  readonly id: number;
  /** Lower case, without a final dot. */
  readonly name: string;
  readonly question: Question;
}

/** A behaviour that does not depend on the transport, the type or the number of queries. */
export type DnsStep = Exclude<DnsBehaviour, { kind: "by-transport" | "by-type" | "sequence" }>;

// Source: RFC 1035, section 4.1.1.
const RCODE = { noerror: 0, servfail: 2, nxdomain: 3, refused: 5 } as const;
const FLAG_AUTHORITATIVE = 1 << 10;
const FLAG_TRUNCATED = 1 << 9;
const FLAG_RECURSION_AVAILABLE = 1 << 7;

/** Resolves a behaviour for one query, the `asked`-th (from 0) of its rule. */
export function chooseStep(
  behaviour: DnsBehaviour,
  query: Query,
  transport: Transport,
  asked: number,
): DnsStep {
  switch (behaviour.kind) {
    case "by-transport":
      return chooseStep(behaviour[transport], query, transport, asked);
    case "by-type":
      return chooseStep(
        query.question.type === "AAAA" ? behaviour.aaaa : behaviour.a,
        query,
        transport,
        asked,
      );
    case "sequence": {
      const step = behaviour.steps[Math.min(asked, behaviour.steps.length - 1)];
      if (step === undefined) throw new Error("a sequence of DNS behaviours has no step");
      return chooseStep(step, query, transport, asked);
    }
    default:
      return behaviour;
  }
}

/** The bytes to send; undefined: no answer. */
export function buildAnswer(step: DnsStep, query: Query, transport: Transport): Buffer | undefined {
  switch (step.kind) {
    case "answer":
      return pack(query, { answers: records(query, step.addresses, step.ttlSeconds) });
    case "txt":
      return pack(query, { answers: texts(query, step.records) });
    case "nxdomain":
    case "servfail":
    case "refused":
      return pack(query, { rcode: RCODE[step.kind] });
    case "empty":
      return pack(query, {});
    case "silent":
      return undefined;
    case "truncated":
      return transport === "udp"
        ? pack(query, { flags: FLAG_TRUNCATED })
        : pack(query, { answers: records(query, step.addresses) });
    case "garbage":
      return garbage(query.id);
    case "wrong-id": {
      const spoofed = { ...query, id: query.id ^ 0x5555 };
      return pack(spoofed, { answers: records(query, step.addresses) });
    }
    default:
      return step satisfies never;
  }
}

function pack(query: Query, parts: { rcode?: number; flags?: number; answers?: Answer[] }): Buffer {
  const packet: Packet = {
    type: "response",
    id: query.id,
    // dns-packet takes the response code as the low four bits of the flags.
    flags: FLAG_AUTHORITATIVE | FLAG_RECURSION_AVAILABLE | (parts.flags ?? 0) | (parts.rcode ?? 0),
    questions: [query.question],
    answers: parts.answers ?? [],
  };
  return encode(packet);
}

function records(query: Query, addresses: readonly string[], ttlSeconds = 60): Answer[] {
  const { name, type } = query.question;
  if (type !== "A" && type !== "AAAA") return [];
  return addresses
    .filter((address) => isIPv4(address) === (type === "A"))
    .map((address) => ({ type, name, ttl: ttlSeconds, data: address }));
}

function texts({ question }: Query, all: readonly (readonly string[])[]): Answer[] {
  if (question.type !== "TXT") return [];
  return all.map((data) => ({ type: "TXT", name: question.name, ttl: 60, data: [...data] }));
}

function garbage(id: number): Buffer {
  const bytes = Buffer.alloc(40, 0xff);
  bytes.writeUInt16BE(id, 0);
  // A response (QR) that announces missing questions and answers.
  bytes.writeUInt16BE(0x8180, 2);
  return bytes;
}
