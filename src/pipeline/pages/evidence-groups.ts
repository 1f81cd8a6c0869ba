import { hashText } from "../../model/fnv1a.ts";
import type { Document } from "../../model/service/snapshot.ts";
import { FRESH_MS } from "../../model/time.ts";
import { type GroupFamily, NO_GROUPS } from "../../publish/object-groups.ts";
import { whyUnknown } from "../../services/history/views.ts";
import { viewEndpoint } from "../../services/interference/endpoint-views.ts";
import {
  buildEvidence,
  buildRawEvidence,
  buildVantages,
  type EvidenceInput,
  evidenceKey,
  rawEvidenceKey,
  signatureOfEvidence,
  standingsOf,
  VANTAGES_KEY,
} from "../../services/interference/evidence-documents.ts";
import { judgeScopes } from "../publish/judge-scopes.ts";
import type { NetworkNameOf } from "../run/measurement.ts";
import type { SiteSources } from "./site-view.ts";

/** Family of the documents of evidence. */
export const EVIDENCE = "evidence";

/** Local ids have no colon and slugs no full stop. */
const VANTAGES_ID = ".vantages";
const RAW_PREFIX = "raw.";

interface PlannedDocument {
  readonly signature: string;
  readonly build: () => Document;
}

/**
 * Plans the public evidence: a document for each service, one about the vantages, and what each of them signed. As with pictures, the
 * first publish has none, so that documents of the API come first.
 */
export function planEvidence(sources: SiteSources, networkOf: NetworkNameOf): GroupFamily {
  if (sources.state.publication.objects.size === 0) return NO_GROUPS;
  const planned = new Map<string, PlannedDocument>([
    ...planServices(sources, networkOf),
    ...planVantages(sources),
  ]);
  return {
    ...NO_GROUPS,
    signatures: new Map([...planned].map(([id, { signature }]) => [id, signature])),
    // Vantages come and go with their file.
    isDeliberate: (id) => id.startsWith(RAW_PREFIX) || id === VANTAGES_ID,
    keysOf: (id) => [evidenceGroupKey(id)],
    build: (id) => {
      const one = planned.get(id);
      return Promise.resolve(one === undefined ? [] : [one.build()]);
    },
  };
}

/** The key of the document of a group. */
export function evidenceGroupKey(id: string): string {
  if (id === VANTAGES_ID) return VANTAGES_KEY;
  return id.startsWith(RAW_PREFIX) ? rawEvidenceKey(id.slice(RAW_PREFIX.length)) : evidenceKey(id);
}

type Planned = readonly (readonly [string, PlannedDocument])[];

function planServices(sources: SiteSources, networkOf: NetworkNameOf): Planned {
  const inputs = evidenceInputs(sources, networkOf);
  return inputs.map((input) => {
    const { slug } = input.service;
    return [
      slug,
      {
        signature: hashText(signatureOfEvidence(input)),
        build: () => buildEvidence(input),
      },
    ];
  });
}

function planVantages({ state }: SiteSources): Planned {
  const { vantages, cited } = state.vantages;
  if (vantages.length === 0) return [];
  const standings = standingsOf(state.vantages);
  const list: PlannedDocument = {
    signature: hashText(JSON.stringify(standings)),
    build: () => buildVantages(standings),
  };
  const raw = [...cited].map(([id, answer]) => {
    const document: PlannedDocument = {
      signature: answer.askId,
      build: () => buildRawEvidence(id, answer),
    };
    return [`${RAW_PREFIX}${id}`, document] as const;
  });
  return [[VANTAGES_ID, list], ...raw];
}

/** What the evidence of each service is built from, in the order of the catalogue. */
export function evidenceInputs(
  { catalogue, state, snapshot }: SiteSources,
  networkOf: NetworkNameOf,
): readonly EvidenceInput[] {
  const nowMs = state.history.updatedAtMs ?? 0;
  const scopes = judgeScopes(catalogue, state);
  const codes = new Map(snapshot.services.map(({ slug, verdict }) => [slug, verdict.code]));
  return catalogue.services.flatMap((service) => {
    const { slug } = service;
    const [scope, code] = [scopes.get(slug), codes.get(slug)];
    const evidence = state.evidence.get(slug);
    if (scope === undefined || code === undefined) return [];
    const isFresh = evidence !== undefined && nowMs - evidence.runAtMs <= FRESH_MS;
    const results = new Map(
      (isFresh ? evidence.endpoints : []).map(({ url, result }) => [url, result] as const),
    );
    return [
      {
        service,
        code,
        unknown: code === "none" ? whyUnknown(service, state.history) : null,
        checkedAtMs: evidence?.runAtMs ?? null,
        scope,
        resultOf: (url) => results.get(url),
        viewsOf: (endpoint) => viewEndpoint(endpoint, { known: state.vantages, nowMs }),
        networkOf,
      },
    ];
  });
}
