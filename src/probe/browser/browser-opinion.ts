/** The address is that of the URL's host, and allowed: no other is connected to. */
export interface BrowserTarget {
  readonly url: URL;
  readonly address: string;
  readonly port: number;
}

/** What a browser would get. */
export type BrowserOpinion =
  /** An HTTP answer of any status. `bytes`: of its body, as they were sent: all of them, or `MIN_BROWSER_BYTES`. */
  | { readonly kind: "opens"; readonly status: number; readonly bytes: number }
  /** Silence, a reset, or anything else that ends the stage. `bytes`: from the server below TLS, which is what filters count. */
  | {
      readonly kind: "fails";
      readonly stage: "tcp" | "tls" | "http" | "body";
      readonly bytes: number;
    };

/**
 * Asks once, over a new connection. Never throws. Undefined: it could not ask, because of the signal, this machine or a URL that is not
 * https, so nothing was learnt.
 */
export type AskBrowser = (
  target: BrowserTarget,
  signal: AbortSignal,
) => Promise<BrowserOpinion | undefined>;
