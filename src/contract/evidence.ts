import * as z from "zod";
import { FAILURE_CODES, RESULT_CODES, STAGES } from "../model/failures.ts";
import { REFUSALS } from "../model/service/catalogue.ts";
import { CONNECTIVITY_STATES } from "../model/service/connectivity.ts";
import { CHECK_CLASSES, HALF_HOURS, UNKNOWN_REASONS } from "../model/service/history.ts";
import { type Scope, SCOPES, STEP_ANSWERS } from "../model/service/interference.ts";
import { LINES } from "../model/service/choices.ts";
import { SAID, SAME_ADDRESS, SEEN, VANTAGE_KINDS } from "../model/service/vantage.ts";
import { VERDICT_CODES } from "./codes/verdict.ts";
import { BOOLEAN, exact, itemsOf, TEXT, TIME } from "./parts.ts";
import { SLUG } from "./status.ts";

/** What each scope says. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  none: "it does not fail here",
  russia: "it fails here and works abroad",
  access: "it opens in a data centre here and fails on the lines of subscribers",
  client: "programs and browsers find different things",
  everywhere: "it fails abroad too",
  network: "it fails for this network; another place in Moscow disagrees",
  path: "it works abroad, but the runner's own way abroad is cut",
  mixed: "it fails abroad for some",
  unknown: "no other place can tell",
};

/** Where a service fails. */
export const SCOPE = z.enum(SCOPES).describe(
  `Where it fails. ${Object.entries(SCOPE_MEANINGS)
    .map(([scope, meaning]) => `\`${scope}\`: ${meaning}.`)
    .join(" ")}`,
);

const VANTAGE_FIELDS = {
  id: TEXT,
  kind: z
    .enum(VANTAGE_KINDS)
    .describe(
      "`control`: abroad, turns a failure into a claim of blocking, or withholds one. `moscow`: votes. `region`, `mobile`: shown only.",
    ),
  country: z.string().regex(/^[A-Z]{2}$/u),
  asn: z.int().min(1),
  network: TEXT,
};

const BLOCKED_BY = z
  .enum(["page", "experiment"])
  .describe(
    "`page`: a block page, a stub address or a plain 451. `experiment`: a claim, which rests on what `claim` says.",
  )
  .nullable();

const UNKNOWN = z
  .enum(UNKNOWN_REASONS)
  .nullable()
  .describe(
    "Why nothing is known of it. `refused`: it does not answer data centres. `wall-only`: a wall against robots answers in its place. `never-reached`: it has never answered.",
  );

const MOSCOW = exact("What the runner in Moscow found.", {
  result: z.enum(["ok", "denied", "failed", "refused", "outvoted", "unknown"]),
  stage: z.enum(STAGES).nullable(),
  code: z.enum(FAILURE_CODES).nullable(),
  status: z.int().nullable(),
  wall: TEXT.nullable().describe(
    "What answered in place of the service, to keep robots out: `cloudflare`, `qrator` …",
  ),
  ms: z.int().min(0).nullable(),
  address: TEXT.nullable(),
  network: TEXT.nullable(),
  browser: exact("What a client with the ClientHello of a browser got.", {
    opens: BOOLEAN,
    stage: z.enum(STAGES).nullable().describe("Where it ended, if it does not open."),
  })
    .nullable()
    .describe("Null: it was not asked, so what filters do to browsers alone is not seen."),
});

const CLAIM = exact("What a claim of blocking rests on.", {
  by: z
    .enum(["name", "home"])
    .describe(
      "`name`: cut by name here, works abroad at the same address. `home`: lines of subscribers are cut by name, and a data centre is not.",
    ),
  networks: z
    .int()
    .min(1)
    .describe("Networks in Moscow whose own experiment says so. One: it is only likely."),
  runs: z.int().min(0).describe("Consecutive runs that found it failing."),
  unicast: BOOLEAN.nullable().describe(
    "Whether the address is one place for all, by the times that connections take; null: that cannot be told.",
  ),
});

const EXPERIMENT = exact("Further connections after a failure, on the same path.", {
  cutBy: z.enum(["name", "address", "network", "none", "unknown"]),
  steps: itemsOf(
    z.strictObject({
      kind: z.enum(["neutral-name", "seen-address", "large-neighbour", "neighbour"]),
      name: TEXT.optional(),
      address: TEXT.optional(),
      answer: z.enum(STEP_ANSWERS),
    }),
  ),
});

const VANTAGE_RESULT = exact("What another place found.", {
  ...VANTAGE_FIELDS,
  line: z.enum(LINES).nullable(),
  result: z.enum(RESULT_CODES),
  calibrated: BOOLEAN.describe("It usually works there, so that a failure counts."),
  sameAddress: z.enum(SAME_ADDRESS).nullable(),
  says: z
    .enum(SAID)
    .describe(
      "`nothing`: not probed, refused, or the answer is not the one that the endpoint usually gives.",
    ),
  cutByName: BOOLEAN.describe("Its own experiment says so, and the place has proven itself."),
  seen: SEEN.omit({ steps: true }).describe(
    "Status, whether a wall answered or the answer was long, hash of the certificate's key, milliseconds to connect.",
  ),
  experiment: EXPERIMENT.nullable(),
});

const ENDPOINT = exact("One endpoint.", {
  url: TEXT,
  what: TEXT,
  critical: BOOLEAN,
  fence: BOOLEAN.describe("It answers Russia only: a failure abroad says nothing."),
  refuses: itemsOf(z.enum(REFUSALS)).describe(
    "Whom its owner does not let in, so that silence towards them says nothing.",
  ),
  scope: SCOPE,
  halfHours: z
    .array(z.enum(CHECK_CLASSES).nullable())
    .length(HALF_HOURS)
    .readonly()
    .describe(
      "The worst that the runner found in each half hour of the clock, that of the last change last; null: nothing.",
    ),
  row: z.int().min(1).max(16).nullable(),
  blockedBy: BLOCKED_BY,
  claim: CLAIM.nullable(),
  moscow: MOSCOW,
  experiment: EXPERIMENT.nullable(),
  vantages: itemsOf(VANTAGE_RESULT),
});

/** `evidence/v1/<slug>.json`. */
export type Evidence = z.infer<typeof EVIDENCE_SCHEMAS.Evidence>;
/** `evidence/v1/vantages.json`. */
export type Vantages = z.infer<typeof EVIDENCE_SCHEMAS.Vantages>;
/** `evidence/v1/raw/<vantage>.json`. */
export type RawEvidence = z.infer<typeof EVIDENCE_SCHEMAS.RawEvidence>;

/** The documents of evidence. Source: docs/services/evidence.md. */
export const EVIDENCE_SCHEMAS = {
  Scope: SCOPE,
  Evidence: exact(
    "What the verdict of a service follows from. Written when something in it changes, so times and addresses are those of the last change.",
    {
      slug: SLUG,
      checkedAt: TIME.nullable(),
      verdict: z.enum(VERDICT_CODES),
      unknown: UNKNOWN,
      scope: SCOPE,
      blockedBy: BLOCKED_BY,
      endpoints: itemsOf(ENDPOINT),
    },
  ),
  Vantages: exact("The places beside the runner.", {
    vantages: itemsOf(
      exact("One place.", {
        ...VANTAGE_FIELDS,
        publicKey: TEXT.describe("Ed25519, base64url: verifies its answers."),
        answers: BOOLEAN.describe("It answered one of the last two asks."),
        heardAt: TIME.describe("By the hour while it answers.").nullable(),
        connectivity: z.enum(CONNECTIVITY_STATES).nullable(),
        whiteList: BOOLEAN.describe(
          "Its network lets only listed sites through; null: it cannot tell.",
        ).nullable(),
      }),
    ),
  }),
  RawEvidence: exact("An answer as it was signed, and what it is about.", {
    ask: z.uuid(),
    heardAt: TIME,
    urls: itemsOf(TEXT),
    jws: exact("Flattened JWS (RFC 7515). Its payload is JSON under gzip.", {
      payload: TEXT,
      protected: TEXT,
      signature: TEXT,
    }),
  }),
};
