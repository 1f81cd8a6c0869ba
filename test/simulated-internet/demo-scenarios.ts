import type { Operator } from "../../src/contract/codes/operator.ts";
import type { VerdictCode } from "../../src/contract/codes/verdict.ts";
import type { Behaviour, DnsBehaviour } from "./behaviour.ts";

/** A simulated service of the demo, unrelated to the state of the real one. */
export interface DemoScenario {
  readonly slug: string;
  readonly code: VerdictCode;
  /** For the overview. */
  readonly description: string;
  /** By host or URL without a path, as for `SimulatedInternet.set`. */
  readonly behaviours?: Readonly<Record<string, Behaviour>>;
  /** Where else it opens while it fails for the runner. Default: nowhere. */
  readonly opensIn?: readonly ("fra" | "hel" | "msk2")[];
  /** Beginning of the faults. Default: `today`. */
  readonly from?: "long-ago" | "earlier" | "today";
  /** Number of user reports now. */
  readonly reports?: number;
  /** From whose subscribers nearly all of them come. Default: as usual. */
  readonly operator?: Operator;
  /** Not checked in the last runs, as with `--only`. */
  readonly isSkipped?: true;
}

/** A stub address of a provider in `data/blockpages.json`. */
const STUB_ADDRESS = "62.33.207.196";
/** A block page of a provider in `data/blockpages.json`. */
const BLOCK_PAGE = "<title>TTK :: Доступ к ресурсу ограничен</title>";

function all(hosts: readonly string[], behaviour: Behaviour): Readonly<Record<string, Behaviour>> {
  return Object.fromEntries(hosts.map((host) => [host, behaviour]));
}

function dnsFault(dns: DnsBehaviour): Behaviour {
  return { kind: "dns", dns };
}

/** Eleven seconds in total, so that one run is enough, within the limits of a probe: 8 s for the head, 5 s of silence. */
const AT_ITS_LIMIT = { kind: "page", delayMs: 6_500, bodyDelayMs: 4_500 } as const;

const FAILING: readonly DemoScenario[] = [
  {
    slug: "rutube",
    code: "fail",
    from: "earlier",
    description: "refuses connections of this network alone",
    opensIn: ["fra", "hel", "msk2"],
    behaviours: all(["rutube.ru", "static.rutube.ru"], { kind: "tcp-refused" }),
  },
  {
    slug: "samokat",
    code: "fail",
    from: "earlier",
    description: "the resolver says that the name does not exist",
    behaviours: all(["samokat.ru", "api.samokat.ru"], dnsFault({ kind: "nxdomain" })),
  },
  {
    slug: "odnoklassniki",
    code: "fail",
    from: "earlier",
    description: "shows an expired certificate",
    behaviours: all(["ok.ru", "api.ok.ru"], { kind: "page", certificate: "expired" }),
  },
  {
    slug: "dom-ru",
    code: "fail",
    from: "earlier",
    description: "freezes after 16 KB of every connection",
    behaviours: all(["dom.ru", "id.dom.ru"], {
      kind: "page",
      wire: { kind: "cut", afterRawBytes: 16_384, ending: "silence" },
    }),
  },
  {
    slug: "yandex-music",
    code: "fail",
    from: "earlier",
    description: "falls silent after the ClientHello",
    behaviours: all(["music.yandex.ru", "api.music.yandex.net"], { kind: "tls-silence" }),
  },
  {
    slug: "pubg",
    code: "fail_long",
    description: "its name servers answer SERVFAIL, for 30 hours now",
    behaviours: all(["pubg.com", "api.pubg.com"], dnsFault({ kind: "servfail" })),
    from: "long-ago",
  },
  {
    slug: "war-thunder",
    code: "fail_long",
    description: "does not answer with HTTP, for 30 hours now",
    behaviours: all(["warthunder.com", "login.gaijin.net"], {
      kind: "http-malformed",
      part: "status-line",
    }),
    from: "long-ago",
  },
  {
    slug: "aliexpress",
    code: "fail",
    description: "drops packets from Russia, and opens abroad",
    opensIn: ["fra", "hel"],
    behaviours: all(["aliexpress.ru"], { kind: "tcp-blackhole" }),
  },
  {
    slug: "avito",
    code: "err",
    description: "answers 503 over its own certificate, but not in Germany",
    opensIn: ["fra"],
    behaviours: all(["www.avito.ru"], { kind: "page", status: 503, bodyBytes: 2_000 }),
  },
  {
    slug: "vk",
    code: "err",
    description: "answers 502 over its own certificate",
    behaviours: all(["vk.ru", "api.vk.ru"], { kind: "page", status: 502, bodyBytes: 500 }),
  },
];

const BLOCKED: readonly DemoScenario[] = [
  {
    slug: "icloud",
    code: "restricted_fail",
    description: "not annotated; cut by its name, opens abroad",
    opensIn: ["fra", "hel"],
    behaviours: all(["www.icloud.com", "setup.icloud.com"], { kind: "tls-reset" }),
  },
  {
    slug: "instagram",
    code: "restricted_fail",
    description: "annotated as restricted; reset after the ClientHello, but not abroad",
    opensIn: ["fra", "hel"],
    behaviours: all(["www.instagram.com", "graph.instagram.com"], { kind: "tls-reset" }),
  },
  {
    slug: "facebook",
    code: "restricted_fail",
    description: "annotated as restricted; packets are dropped, but not abroad",
    opensIn: ["fra", "hel"],
    behaviours: all(["www.facebook.com", "graph.facebook.com"], { kind: "tcp-blackhole" }),
  },
  {
    slug: "zoom",
    code: "restricted_fail",
    description: "not annotated; leads to a provider's block page",
    behaviours: {
      "https://zoom.us": { kind: "redirect", to: "http://zoom.us/" },
      "http://zoom.us": { kind: "block-page", body: BLOCK_PAGE },
      "api.zoom.us": { kind: "tls-reset" },
    },
  },
  {
    slug: "dropbox",
    code: "restricted_fail",
    description: "not annotated; resolves to a provider's stub address",
    behaviours: all(
      ["www.dropbox.com", "api.dropboxapi.com"],
      dnsFault({ kind: "answer", addresses: [STUB_ADDRESS] }),
    ),
  },
];

const IMPAIRED: readonly DemoScenario[] = [
  {
    slug: "yandex-market",
    code: "slow",
    description: "the shop takes eleven seconds, and the next connection is dropped",
    // The second measurement of a slow answer is reset, so that the demo waits for each answer only once.
    behaviours: {
      "market.yandex.ru": {
        kind: "sequence",
        steps: [AT_ITS_LIMIT, { kind: "http-reset" }, AT_ITS_LIMIT, { kind: "http-reset" }],
      },
    },
  },
  {
    slug: "mail-ru",
    code: "partial",
    description: "the cloud resets requests, the rest works",
    behaviours: all(["cloud.mail.ru"], { kind: "http-reset" }),
  },
  {
    slug: "ozon",
    code: "partial",
    description: "static files show a certificate for another name, the rest works",
    behaviours: all(["st.ozone.ru"], { kind: "page", certificate: "wrong-host" }),
  },
  {
    slug: "claude",
    code: "provider",
    description: "annotated, and refuses the region itself",
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
    description: "answers, but user reports surge, nearly all from one operator",
    reports: 412,
    operator: "mts",
  },
  {
    slug: "youtube",
    code: "spike",
    description: "annotated as slowed down; answers, but user reports surge",
    reports: 1_870,
  },
  {
    slug: "gosuslugi",
    code: "none",
    description: "falls silent towards data centres, so nothing is known of it",
    behaviours: all(["www.gosuslugi.ru", "lk.gosuslugi.ru"], { kind: "tls-silence" }),
  },
  {
    slug: "gibdd",
    code: "none",
    description: "left out of the runs of the last two hours",
    isSkipped: true,
  },
];

/** All other services answer. Verdicts that need only an annotation come from the catalogue. */
export const SCENARIOS: readonly DemoScenario[] = [...FAILING, ...BLOCKED, ...IMPAIRED];
