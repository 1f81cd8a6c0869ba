import type { VerdictCode } from "../../src/model/verdict.ts";
import type { Behaviour, DnsBehaviour } from "./behaviour.ts";

/** One service that has something to show in the demo. What happens to it says nothing about the real one. */
export interface Role {
  readonly slug: string;
  readonly code: VerdictCode;
  /** What is done to it, for the overview. */
  readonly story: string;
  /** By host, or by URL without a path, as `World.set` takes them. */
  readonly behaviours?: Readonly<Record<string, Behaviour>>;
  /** When it begins. Default: `today`. */
  readonly from?: "long-ago" | "today";
  /** What users report of it now. */
  readonly reports?: number;
  /** Left out of the last runs, as with `--only`. */
  readonly isForgotten?: true;
}

/** An address that `data/blockpages.json` knows as the stub of a provider. */
const STUB_ADDRESS = "62.33.207.196";
/** A text that `data/blockpages.json` knows from a provider's block page. */
const BLOCK_PAGE = "<title>TTK :: Доступ к ресурсу ограничен</title>";

function all(hosts: readonly string[], behaviour: Behaviour): Readonly<Record<string, Behaviour>> {
  return Object.fromEntries(hosts.map((host) => [host, behaviour]));
}

function lie(dns: DnsBehaviour): Behaviour {
  return { kind: "dns", dns };
}

/** Nine seconds in all, inside the bounds of a probe: 8 s for the head, then no silence of 5 s. */
const AT_ITS_LIMIT = { kind: "page", delayMs: 5_500, bodyDelayMs: 3_500 } as const;

const FAILING: readonly Role[] = [
  {
    slug: "mts",
    code: "fail",
    story: "refuses connections",
    behaviours: all(["mts.ru", "lk.mts.ru"], { kind: "tcp-refused" }),
  },
  {
    slug: "samokat",
    code: "fail",
    story: "the resolver says that the name does not exist",
    behaviours: all(["samokat.ru", "api.samokat.ru"], lie({ kind: "nxdomain" })),
  },
  {
    slug: "odnoklassniki",
    code: "fail",
    story: "shows an expired certificate",
    behaviours: all(["ok.ru", "api.ok.ru"], { kind: "page", certificate: "expired" }),
  },
  {
    slug: "dom-ru",
    code: "fail",
    story: "freezes after 16 KB of every connection",
    behaviours: all(["dom.ru", "lk.dom.ru"], {
      kind: "page",
      wire: { kind: "cut", afterRawBytes: 16_384, ending: "silence" },
    }),
  },
  {
    slug: "gosuslugi",
    code: "fail",
    story: "falls silent after the ClientHello",
    behaviours: all(["www.gosuslugi.ru", "lk.gosuslugi.ru"], { kind: "tls-silence" }),
  },
  {
    slug: "rosreestr",
    code: "fail_long",
    story: "resets connections, for 30 hours now",
    behaviours: all(["rosreestr.gov.ru", "lk.rosreestr.ru"], { kind: "tcp-reset" }),
    from: "long-ago",
  },
  {
    slug: "pubg",
    code: "fail_long",
    story: "its name servers answer SERVFAIL, for 30 hours now",
    behaviours: all(["pubg.com", "api.pubg.com"], lie({ kind: "servfail" })),
    from: "long-ago",
  },
  {
    slug: "war-thunder",
    code: "fail_long",
    story: "answers with what is no HTTP, for 30 hours now",
    behaviours: all(["warthunder.com", "login.gaijin.net"], {
      kind: "http-malformed",
      part: "status-line",
    }),
    from: "long-ago",
  },
  {
    slug: "avito",
    code: "err",
    story: "answers 503 over its own certificate",
    behaviours: all(["www.avito.ru"], { kind: "page", status: 503, bodyBytes: 2_000 }),
  },
  {
    slug: "vk",
    code: "err",
    story: "answers 502 over its own certificate",
    behaviours: all(["vk.ru", "api.vk.ru"], { kind: "page", status: 502, bodyBytes: 500 }),
  },
];

const BLOCKED: readonly Role[] = [
  {
    slug: "instagram",
    code: "restricted_fail",
    story: "annotated as restricted; reset after the ClientHello",
    behaviours: all(["www.instagram.com", "graph.instagram.com"], { kind: "tls-reset" }),
  },
  {
    slug: "facebook",
    code: "restricted_fail",
    story: "annotated as restricted; packets are dropped",
    behaviours: all(["www.facebook.com", "graph.facebook.com"], { kind: "tcp-blackhole" }),
  },
  {
    slug: "zoom",
    code: "restricted_fail",
    story: "not annotated; leads to a provider's block page",
    behaviours: {
      "https://zoom.us": { kind: "redirect", to: "http://zoom.us/" },
      "http://zoom.us": { kind: "block-page", body: BLOCK_PAGE },
      "api.zoom.us": { kind: "tls-reset" },
    },
  },
  {
    slug: "dropbox",
    code: "restricted_fail",
    story: "not annotated; resolves to a provider's stub address",
    behaviours: all(
      ["www.dropbox.com", "api.dropboxapi.com"],
      lie({ kind: "answer", addresses: [STUB_ADDRESS] }),
    ),
  },
];

const IMPAIRED: readonly Role[] = [
  {
    slug: "wildberries",
    code: "slow",
    story: "the shop takes nine seconds, and the next connection is dropped",
    // The second look that a slow answer gets is dropped, so that the demo waits for each answer only once.
    behaviours: {
      "www.wildberries.ru": {
        kind: "sequence",
        steps: [AT_ITS_LIMIT, { kind: "http-reset" }, AT_ITS_LIMIT, { kind: "http-reset" }],
      },
    },
  },
  {
    slug: "mail-ru",
    code: "partial",
    story: "the cloud resets requests, the rest works",
    behaviours: all(["cloud.mail.ru"], { kind: "http-reset" }),
  },
  {
    slug: "ozon",
    code: "partial",
    story: "static files show a certificate for another name, the rest works",
    behaviours: all(["st.ozone.ru"], { kind: "page", certificate: "wrong-host" }),
  },
  {
    slug: "claude",
    code: "provider",
    story: "annotated, and refuses the region itself",
    behaviours: {
      "claude.ai": { kind: "denial", location: "https://claude.ai/app-unavailable-in-region" },
      "api.anthropic.com": { kind: "denial", marker: "Request not allowed" },
      "platform.claude.com": {
        kind: "denial",
        location: "https://claude.ai/app-unavailable-in-region",
      },
    },
  },
  {
    slug: "sberbank",
    code: "spike",
    story: "answers, but user reports surge",
    reports: 412,
  },
  {
    slug: "youtube",
    code: "spike",
    story: "annotated as slowed down; answers, but user reports surge",
    reports: 1_870,
  },
  {
    slug: "gibdd",
    code: "none",
    story: "left out of the runs of the last two hours",
    isForgotten: true,
  },
];

/** Everybody else answers. Verdicts that need no more than an annotation come from the catalogue itself. */
export const CAST: readonly Role[] = [...FAILING, ...BLOCKED, ...IMPAIRED];
