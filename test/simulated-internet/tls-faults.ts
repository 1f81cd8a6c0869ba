import type { Socket } from "node:net";
import type { ConnectionBehaviour, SimpleBehaviour } from "./behaviour.ts";

// Source: RFC 8446, section 6.
const ALERT = { handshake_failure: 40, unrecognized_name: 112 } as const;
const RECORD_ALERT = 21;
const LEVEL_FATAL = 2;

/** Whether the behaviour takes effect at the ClientHello. */
export function isHelloBehaviour(behaviour: SimpleBehaviour): behaviour is ConnectionBehaviour {
  return behaviour.kind.startsWith("tcp-") || behaviour.kind.startsWith("tls-");
}

/** Answers a ClientHello according to the behaviour. */
export function actOnHello(raw: Socket, behaviour: ConnectionBehaviour): void {
  // Reads the ClientHello, because Linux sends RST if a socket with unread bytes is closed.
  raw.resume();
  switch (behaviour.kind) {
    case "tls-reset":
    case "tcp-reset":
    case "tcp-refused":
      return void raw.resetAndDestroy();
    case "tls-close":
      return void raw.end();
    case "tls-silence":
    case "tcp-blackhole":
      return;
    case "tls-alert":
      return void raw.end(
        Buffer.from([RECORD_ALERT, 3, 3, 0, 2, LEVEL_FATAL, ALERT[behaviour.alert]]),
      );
    case "tls-plain-http":
      return void raw.end(
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
      );
    case "tls-garbage":
      return void raw.end(Buffer.alloc(64, 0xa5));
    default:
      return behaviour satisfies never;
  }
}
