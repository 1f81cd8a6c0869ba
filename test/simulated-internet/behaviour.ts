/** How the name server answers about one name. Plain data, so that a scenario can be a JSON file. */
export type DnsBehaviour =
  /** A records from the IPv4 addresses, AAAA from the IPv6 ones; an empty answer (NODATA) for a type without any. */
  | {
      readonly kind: "answer";
      readonly addresses: readonly string[];
      readonly ttlSeconds?: number;
      readonly delayMs?: number;
    }
  /** TXT records, each of one or more strings. */
  | { readonly kind: "txt"; readonly records: readonly (readonly string[])[] }
  | { readonly kind: "nxdomain" }
  | { readonly kind: "servfail" }
  | { readonly kind: "refused" }
  /** NOERROR without records (NODATA). */
  | { readonly kind: "empty" }
  | { readonly kind: "silent" }
  /** Over UDP an answer with the TC bit and without records; the complete answer over TCP. */
  | { readonly kind: "truncated"; readonly addresses: readonly string[] }
  /** The right id, then bytes that are not a DNS message. */
  | { readonly kind: "garbage" }
  /** A valid answer with another transaction id, as from a blind spoofer. */
  | { readonly kind: "wrong-id"; readonly addresses: readonly string[] }
  /** A middlebox that forges answers over one transport only, as reported for UDP to public resolvers. */
  | { readonly kind: "by-transport"; readonly udp: DnsBehaviour; readonly tcp: DnsBehaviour }
  | { readonly kind: "by-type"; readonly a: DnsBehaviour; readonly aaaa: DnsBehaviour }
  /** One step per query; the last repeats. */
  | { readonly kind: "sequence"; readonly steps: readonly DnsBehaviour[] };

/**
 * The certificate of a host. `public` and `national` are valid and issued directly by the root of that name.
 * `with-intermediate` sends a complete chain of three, as does `national-with-intermediate`; `no-intermediate` omits the intermediate
 * certificate.
 */
export type CertificateKind =
  | "public"
  | "national"
  | "national-with-intermediate"
  | "unknown-issuer"
  | "with-intermediate"
  | "no-intermediate"
  | "self-signed"
  | "expired"
  | "not-yet-valid"
  | "wrong-host";

/** Behaviour of a socket before or below HTTP. */
export type ConnectionBehaviour =
  /** No listener. Takes effect through `connectToLines`, as do the next two. */
  | { readonly kind: "tcp-refused" }
  /** SYNs are dropped. */
  | { readonly kind: "tcp-blackhole" }
  /** RST immediately after the connection was accepted. */
  | { readonly kind: "tcp-reset" }
  /** RST after the ClientHello. */
  | { readonly kind: "tls-reset" }
  /** FIN after the ClientHello. */
  | { readonly kind: "tls-close" }
  | { readonly kind: "tls-silence" }
  | { readonly kind: "tls-alert"; readonly alert: "handshake_failure" | "unrecognized_name" }
  /** A plain HTTP answer on the TLS port. */
  | { readonly kind: "tls-plain-http" }
  | { readonly kind: "tls-garbage" };

/** Behaviour of a host over a good connection. */
export type HttpBehaviour =
  /** Any answer; `body` is repeated text of `bodyBytes` unless given. Defaults: 200, 70,000 bytes, no delay. */
  | {
      readonly kind: "page";
      readonly status?: number;
      readonly bodyBytes?: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Before the head. */
      readonly delayMs?: number;
      /** Between head and body. */
      readonly bodyDelayMs?: number;
    }
  | { readonly kind: "http-silence" }
  | { readonly kind: "http-reset" }
  | { readonly kind: "http-close" }
  | { readonly kind: "http-malformed"; readonly part: "status-line" | "header" | "version-0.9" }
  /** Endless header lines, as fast as the client reads. */
  | { readonly kind: "headers-endless" }
  /** One header line every `intervalMs`, endlessly. */
  | { readonly kind: "headers-drip"; readonly intervalMs: number }
  /** `count` short header lines of an empty 200. */
  | { readonly kind: "headers-many"; readonly count: number }
  /** Endless 1xx answers; as fast as the client reads if `intervalMs` is 0. */
  | { readonly kind: "informational-flood"; readonly status?: number; readonly intervalMs: number }
  | { readonly kind: "redirect"; readonly to: string; readonly status?: number }
  /** To the same URL. */
  | { readonly kind: "redirect-loop" }
  /** To a new path of the same host each time. */
  | { readonly kind: "redirect-endless" }
  /** 451; `blockedBy` becomes `Link: <…>; rel="blocked-by"`. Source: RFC 7725, section 4. */
  | { readonly kind: "legal-refusal"; readonly blockedBy?: string }
  /** The block page of a filtering provider. */
  | { readonly kind: "block-page"; readonly body?: string }
  /** The service's own refusal: a body with the marker, or a redirect to `location`. */
  | {
      readonly kind: "denial";
      readonly marker?: string;
      readonly status?: number;
      readonly location?: string;
    }
  /** `afterBytes` of a body announced with `bodyBytes`, then silence. */
  | { readonly kind: "body-stall"; readonly afterBytes: number; readonly bodyBytes?: number }
  | { readonly kind: "body-close"; readonly afterBytes: number; readonly bodyBytes?: number }
  | { readonly kind: "body-reset"; readonly afterBytes: number; readonly bodyBytes?: number }
  /** `chunkBytes` of body every `intervalMs`, endlessly. */
  | { readonly kind: "body-drip"; readonly intervalMs: number; readonly chunkBytes?: number }
  /** Endless, as fast as the client reads. */
  | { readonly kind: "body-endless" }
  /** A chunked body whose second chunk has no valid length. */
  | { readonly kind: "body-bad-chunk" }
  /** More bytes than Content-Length announces. */
  | { readonly kind: "body-overrun"; readonly announcedBytes: number; readonly sentBytes: number }
  /** Two Content-Length lines that contradict each other. */
  | { readonly kind: "body-two-lengths" }
  /** Unrequested gzip that unpacks to `bodyBytes` of zeros. */
  | { readonly kind: "body-bomb"; readonly bodyBytes: number };

/** A middlebox that counts the bytes sent to the client, including TLS records and handshake. */
export type Wire =
  /** Ends the connection after `afterRawBytes`: by silence (the 16-KB freeze), RST or FIN. */
  | {
      readonly kind: "cut";
      readonly afterRawBytes: number;
      readonly ending: "silence" | "reset" | "close";
    }
  | { readonly kind: "throttle"; readonly bytesPerSecond: number };

/** Options of every HTTP behaviour. */
export interface Path {
  readonly certificate?: CertificateKind;
  readonly wire?: Wire;
}

/** A behaviour without steps. */
export type SimpleBehaviour =
  | ConnectionBehaviour
  | (HttpBehaviour & Path)
  /** The DNS lookup fails. `connectToLines` omits such a host, so that its name is resolved. */
  | { readonly kind: "dns"; readonly dns: DnsBehaviour };

/** How a host behaves. Plain data, so that it can be JSON. */
export type Behaviour =
  | SimpleBehaviour
  /** One step per connection; the last repeats. TCP and DNS behaviours cannot be steps. */
  | { readonly kind: "sequence"; readonly steps: readonly SimpleBehaviour[] }
  /** The last step whose `fromMs`, counted from `set`, has passed. TCP and DNS behaviours cannot be steps. */
  | {
      readonly kind: "schedule";
      readonly steps: readonly { readonly fromMs: number; readonly behaviour: SimpleBehaviour }[];
    };

/** The default behaviour of a host. */
export const HEALTHY = { kind: "page" } as const satisfies SimpleBehaviour;
