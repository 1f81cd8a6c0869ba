import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  nkeys,
  type TlsOptions,
} from "@nats-io/transport-node";
import { messageOf } from "../model/errors.ts";
import { withoutBrackets } from "../model/host-name.ts";
import { SECOND_MS } from "../model/time.ts";

const CONNECT_MS = 5 * SECOND_MS;

export interface EngineAddress {
  /** `nats://` on the loopback, `tls://` elsewhere. */
  readonly url: string;
  /** Content of a file of credentials: a JWT with its key, or the seed of an NKey. */
  readonly credentials?: string;
}

/** The engine does not answer, or refuses. The message names `engine`. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}

/** Who connects: its replies come in under a subject of its own, so that no vantage can listen to those of another. */
export type Peer = "publisher" | { readonly vantage: string };

/** Connects once, or for good. Throws `EngineError`. */
export async function connectEngine(
  { url, credentials }: EngineAddress,
  peer: Peer,
  reconnects: boolean,
): Promise<NatsConnection> {
  const { host, hostname, protocol } = new URL(url);
  // Node checks a certificate for this if the client gives no name, as with an address; without it for "localhost".
  const tls: TlsOptions & { readonly host: string } = { host: withoutBrackets(hostname) };
  const options: ConnectionOptions = {
    servers: host,
    name: `status-snapshot ${peer === "publisher" ? peer : `worker ${peer.vantage}`}`,
    // Permissions are given for this: deploy/nats.conf.
    inboxPrefix: peer === "publisher" ? "_INBOX.publisher" : `_INBOX.vantage.${peer.vantage}`,
    timeout: CONNECT_MS,
    reconnect: reconnects,
    maxReconnectAttempts: -1,
    // A worker that starts before its server waits for it.
    waitOnFirstConnect: false,
    ...(protocol === "tls:" ? { tls } : {}),
    ...(credentials === undefined ? {} : { authenticator: authenticatorOf(credentials) }),
  };
  try {
    return await connect(options);
  } catch (error) {
    throw toEngineError(url, error);
  }
}

/** Runs an action with a connection of its own. Throws `EngineError`, and what the action throws. */
export async function withEngine<T>(
  address: EngineAddress,
  peer: Peer,
  reconnects: boolean,
  act: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectEngine(address, peer, reconnects);
  try {
    return await act(connection);
  } finally {
    await connection.close();
  }
}

function authenticatorOf(credentials: string) {
  const encoder = new TextEncoder();
  return credentials.includes("BEGIN NATS USER JWT")
    ? credsAuthenticator(encoder.encode(credentials))
    : nkeyAuthenticator(encoder.encode(credentials.trim()));
}

/** What failed, in a sentence that names the option. */
export function toEngineError(url: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  return new EngineError(`engine ${url}: ${messageOf(error)}`, { cause: error });
}

/** Makes an Ed25519 key for a NATS server: the seed (`SU…`) stays with its owner, the server gets the public key (`U…`). */
export function makeEngineKey() {
  const pair = nkeys.createUser();
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() };
}
