import { nkeys } from "@nats-io/transport-node";

/** A key for a NATS server: the seed stays with its owner, the public key goes into the server's configuration. */
export interface EngineKey {
  /** `SU…`. */
  readonly seed: string;
  /** `U…`. */
  readonly publicKey: string;
}

/** Makes a key of a user: Ed25519, in NATS's own encoding. */
export function makeEngineKey(): EngineKey {
  const pair = nkeys.createUser();
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() };
}
