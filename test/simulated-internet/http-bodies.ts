import type { HttpBehaviour } from "./behaviour.ts";
import { flood } from "./flood.ts";
import { endAnswer, every, fillBytes, head, type Exchange } from "./http-exchange.ts";

type BodyBehaviour = Exclude<
  Extract<HttpBehaviour, { kind: `body-${string}` }>,
  { kind: "body-bomb" }
>;

/** Sends a valid head and a faulty body. */
export function actBody(exchange: Exchange, behaviour: BodyBehaviour): void {
  const { stream } = exchange;
  switch (behaviour.kind) {
    case "body-stall":
      return sendPart(exchange, behaviour);
    case "body-close":
      sendPart(exchange, behaviour);
      return endAnswer(exchange);
    case "body-reset":
      sendPart(exchange, behaviour);
      return exchange.reset();
    case "body-drip":
      stream.write(head(200, undefined));
      return every(exchange, behaviour.intervalMs, fillBytes(behaviour.chunkBytes ?? 1));
    case "body-endless":
      stream.write(head(200, undefined));
      return flood(stream, fillBytes(16_384));
    case "body-bad-chunk":
      stream.write(head(200, undefined, { "Transfer-Encoding": "chunked" }));
      return endAnswer(exchange, "5\r\nhello\r\nnot-a-length\r\nworld\r\n0\r\n\r\n");
    case "body-overrun":
      stream.write(head(200, behaviour.announcedBytes));
      return endAnswer(exchange, fillBytes(behaviour.sentBytes));
    case "body-two-lengths":
      stream.write(head(200, 5, { "content-length": "7" }));
      return endAnswer(exchange, "hello!!");
    default:
      return behaviour satisfies never;
  }
}

function sendPart(
  exchange: Exchange,
  part: { readonly afterBytes: number; readonly bodyBytes?: number },
): void {
  exchange.stream.write(head(200, part.bodyBytes ?? 70_000));
  exchange.stream.write(fillBytes(part.afterBytes));
}
