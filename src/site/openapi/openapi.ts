import { ACCURACY_SCHEMAS } from "../../contract/accuracy.ts";
import { ARCHIVE_SCHEMAS } from "../../contract/archive.ts";
import { type SchemaObject, toComponents } from "../../contract/components.ts";
import { EVIDENCE_SCHEMAS } from "../../contract/evidence.ts";
import { HISTORY_SCHEMAS } from "../../contract/history.ts";
import { OPERATOR_SCHEMAS } from "../../contract/operators.ts";
import { OUTAGE_SCHEMAS } from "../../contract/outages.ts";
import { REPORT_SCHEMAS } from "../../contract/intake.ts";
import { SHIELDS_SCHEMAS } from "../../contract/shields.ts";
import { STATUS_SCHEMAS } from "../../contract/status.ts";
import { STATUSPAGE_SCHEMAS } from "../../contract/statuspage.ts";
import { hasPush } from "../pages/parts/links.ts";
import { API_READS, OPEN_DATA_READS } from "./reads.ts";
import { OWNER_API, OWNER_WEBHOOKS, REPORT_PATHS, VISITOR_API } from "./writes.ts";
import type { SiteAddress } from "../view.ts";

const DESCRIPTION = `Is it down, is it blocked, or is it me? The state of online services as seen from Russia: checks run every five minutes, user reports count immediately.

The data is an estimate, not the official position of the services. It must not be used for financial or security-critical decisions.

No key, no registration, open to every website (CORS). Responses may be cached for a minute: poll at most once a minute. If you show the data on your own site, please link back.

Beside the API there are history, numbered changes, an archive of all checks, and documents for tools that read Statuspage, Prometheus or shields.io. They are under CC BY 4.0; the page /data of the website explains them.`;

const TAGS: readonly SchemaObject[] = [
  { name: "status", description: "State of the services of the catalogue." },
  { name: "badges", description: "Uptime of the monitors whose page is public." },
  { name: "evidence", description: "What the verdicts follow from, here and elsewhere." },
  {
    name: "open data",
    description: "Changes, history, and the formats of other tools: CC BY 4.0.",
  },
  { name: "reports", description: "Reports by users of what does not work." },
];

/** Every public document, by the name of its component. */
const DOCUMENTS = {
  ...STATUS_SCHEMAS,
  ...SHIELDS_SCHEMAS,
  ...REPORT_SCHEMAS,
  ...EVIDENCE_SCHEMAS,
  ...HISTORY_SCHEMAS,
  ...OUTAGE_SCHEMAS,
  ...OPERATOR_SCHEMAS,
  ...STATUSPAGE_SCHEMAS,
  ...ARCHIVE_SCHEMAS,
  ...ACCURACY_SCHEMAS,
};

/**
 * Text of `/openapi.json`: the API as an OpenAPI 3.1 document, compact like all published JSON. Depends only on the address.
 * Source: https://spec.openapis.org/oas/v3.1.1.html
 */
export function buildOpenApi(address: SiteAddress): string {
  const { origin, root, isSelfService } = address;
  const further = [
    ...(isSelfService ? [OWNER_API] : []),
    ...(hasPush(address) ? [VISITOR_API] : []),
  ];
  const security = Object.assign({}, ...further.map((api) => api.security));
  const document: SchemaObject = {
    openapi: "3.1.1",
    info: {
      title: "Service Status Query API",
      summary: "Read-only state of online services as seen from Russia",
      description: DESCRIPTION,
      version: "1.0.0",
      license: { name: "CC BY 4.0", identifier: "CC-BY-4.0" },
    },
    servers: [{ url: `${origin}${root}` }],
    externalDocs: { description: "The API for people", url: `${origin}${root}/en/api` },
    security: [],
    tags: [...TAGS, ...further.map(({ tag }) => tag)],
    paths: Object.assign(
      { ...API_READS, ...REPORT_PATHS, ...OPEN_DATA_READS },
      ...further.map(({ paths }) => paths),
    ),
    ...(isSelfService ? { webhooks: OWNER_WEBHOOKS } : {}),
    components: {
      schemas: Object.assign(
        { ...toComponents(DOCUMENTS) },
        ...further.map(({ schemas }) => toComponents(schemas)),
      ),
      ...(further.length === 0 ? {} : { securitySchemes: security }),
    },
  };
  return JSON.stringify(document);
}
