import { WORK_STREAM } from "../../src/engine/names.ts";
import type { FakeNats, Said, Told } from "./fake-nats.ts";

/** What streams can do wrong. */
export type StreamFault =
  | "keeps-twice"
  | "forgets-deliveries"
  | "is-silent"
  | "mixes-up"
  | "keeps-forever";

/** JetStream's answers when there is no message with a number, and when none comes in time. */
const NO_MESSAGE = { error: { code: 404, err_code: 10_037, description: "no message found" } };
const TIME_OUT: Told = {
  body: "",
  status: ["408 Request Timeout", "Nats-Pending-Messages: 1", "Nats-Pending-Bytes: 0"],
};

/** A stream of work and one of results, with one message each: as much as a trial needs. */
export function fakeStreams(fault?: StreamFault): Required<Pick<FakeNats, "answer" | "tell">> {
  const kept = new Map<string, string>();
  const deliveries = new Map<string, number>();

  const publish = (family: string, body: string): Told => {
    const [, id] = /^Nats-Msg-Id: ?(\S+)/mu.exec(body) ?? [];
    const payload = body.slice(body.indexOf("\r\n\r\n") + 4);
    const duplicate = kept.has(family) && fault !== "keeps-twice";
    if (id !== undefined) kept.set(family, payload);
    return { body: JSON.stringify({ stream: family, seq: 1, duplicate }) };
  };

  const deliver = (family: string): Told => {
    if (fault === "is-silent") return TIME_OUT;
    const count = (deliveries.get(family) ?? 0) + 1;
    deliveries.set(family, count);
    const times = fault === "forgets-deliveries" ? 1 : count;
    return {
      subject: `${family}.doctor.0-1.0.0`,
      reply: `$JS.ACK.stream.consumer.${times}.1.${count}.1.0`,
      body: fault === "mixes-up" ? "another" : (kept.get(family) ?? ""),
    };
  };

  const tell = ({ subject, body }: Said): Told | undefined => {
    const [family = ""] = subject.split(".");
    if (family === "work" || family === "results") return publish(family, body);
    if (subject.startsWith("$JS.ACK.")) return { body: "" };
    if (subject.startsWith("$JS.API.CONSUMER.MSG.NEXT."))
      return deliver(subject.includes(WORK_STREAM) ? "work" : "results");
    return undefined;
  };

  const answer = (subject: string): object => {
    if (subject.startsWith("$JS.API.STREAM.MSG.GET."))
      return fault === "keeps-forever" ? { message: { subject, seq: 1, data: "" } } : NO_MESSAGE;
    const [, , , , stream_name = "", name = ""] = subject.split(".");
    return { config: {}, created: "2026-01-01T00:00:00Z", state: {}, stream_name, name };
  };
  return { answer, tell };
}
