import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { readProxies } from "../../src/http-server/client-address.ts";
import { createFloodGuard } from "../../src/http-server/rate-limit.ts";
import { createIntake } from "../../src/reports/intake/intake-routes.ts";
import { createNetworkKeys } from "../../src/http-server/network-key.ts";
import type { Report } from "../../src/model/service/reports.ts";
import { COMMON_HEADERS, createFront } from "../../src/preview/front.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { drawLastChecked } from "../../src/site/site-files.ts";
import { renderIndex } from "../../src/site/pages/index.tsx";
import { renderMonitor } from "../../src/site/pages/monitor.tsx";
import { renderService } from "../../src/site/pages/service.tsx";
import { LANGUAGES } from "../../src/contract/codes/language.ts";
import type { MonitorView, ServiceView, SiteView } from "../../src/site/view.ts";
import { buildDocuments } from "../../src/services/snapshot/api-documents.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { frameOf } from "../site/site-fixture.ts";

/** Deviations of the server from the published objects. */
export interface Behaviour {
  /** The clock of the server, in `Date`. */
  nowMs: number;
  /** Every read is answered with 503. */
  isDown: boolean;
  /** Additional headers of every answer. */
  headers: Readonly<Record<string, string>>;
  /** Pages are sent in pieces with pauses, as over a slow network. */
  pieces: { readonly bytes: number; readonly waitMs: number } | null;
  /** Bodies that replace the published ones, by path. */
  readonly bodies: Map<string, string>;
}

/** A website in a memory store, with the real front and the real intake. */
export interface SiteHarness {
  readonly url: string;
  readonly behaviour: Behaviour;
  readonly reports: readonly Report[];
  /** All requests, such as `GET /site.js`. */
  readonly requests: readonly string[];
  /** Publishes only documents, as if caches still had the previous pages. */
  publishDocuments(view: SiteView, updatedAtMs: number): Promise<void>;
  publishPages(view: SiteView, monitors?: readonly MonitorView[]): Promise<void>;
  put(key: string, body: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface SiteHarnessOptions {
  readonly nowMs: number;
  /** Prefix of all paths, such as `/status`; with a prefix, reports are not accepted. */
  readonly root?: string;
  /** Posts that one network may send at once. */
  readonly burst?: number;
  /** Called when a report was accepted. */
  readonly onReport?: (report: Report) => Promise<void>;
  readonly countsOf?: (slug: string) => Pick<ServiceView["reports"], "hour" | "day">;
}

/** Replaces fields of one service of a view. */
export function withService(view: SiteView, slug: string, changes: Partial<ServiceView>): SiteView {
  const services = view.services.map((service) =>
    service.slug === slug ? { ...service, ...changes } : service,
  );
  return { ...view, services };
}

/** The script that `npm run build` has built from `src/site/browser`. */
export function readScript(name: "site.js" | "embed.js"): Buffer {
  return readFileSync(new URL(`../../dist/web/${name}`, import.meta.url));
}

/** Replaces a badge. */
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"/>`;

/** Sends a page piece by piece; other answers are unchanged. */
async function inPieces(response: Response, pieces: Behaviour["pieces"]): Promise<Response> {
  if (pieces === null || !response.headers.get("Content-Type")?.startsWith("text/html"))
    return response;
  const body = new Uint8Array(await response.arrayBuffer());
  // Pieces of compressed bytes would hold many letters each.
  const bytes = response.headers.get("Content-Encoding") === "gzip" ? gunzipSync(body) : body;
  const { bytes: size, waitMs } = pieces;
  async function* cut(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += size) {
      yield bytes.subarray(from, from + size);
      await sleep(waitMs);
    }
  }
  const headers = new Headers(response.headers);
  for (const name of ["Content-Length", "Content-Encoding"]) headers.delete(name);
  return new Response(ReadableStream.from(cut()), { status: response.status, headers });
}

export async function openSiteHarness(options: SiteHarnessOptions): Promise<SiteHarness> {
  const store = createMemoryStore();
  const behaviour: Behaviour = {
    nowMs: options.nowMs,
    isDown: false,
    headers: {},
    pieces: null,
    bodies: new Map(),
  };
  const { root = "" } = options;
  const requests: string[] = [];
  const reports: Report[] = [];
  const put = async (key: string, body: string | Uint8Array): Promise<void> => {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    await store.write(key, { contentType: "", cacheControl: "", body: bytes });
  };
  await put("site.js", readScript("site.js"));
  await put("embed.js", readScript("embed.js"));
  await put("site.css", readFileSync(new URL("../../data/assets/site.css", import.meta.url)));
  await put("favicon.svg", readFileSync(new URL("../../data/assets/favicon.svg", import.meta.url)));
  await put("manifest.webmanifest", "{}");
  await put("names.json", '{"en":{}}');
  await put("operator.txt", "unknown");
  await put("checked.svg", drawLastChecked(options.nowMs));

  const front = createFront(store);
  const proxies = readProxies([]);
  if (proxies.kind !== "ok") throw new Error(proxies.message);
  const intake = createIntake({
    hasService: () => true,
    persist: async (report) => {
      reports.push(report);
      await options.onReport?.(report);
      return "inbox";
    },
    countsOf: options.countsOf ?? (() => ({ hour: 0, day: 0 })),
    toNetworkKey: createNetworkKeys(new Uint8Array(32)),
    limitRate: createFloodGuard(options.burst === undefined ? {} : { burst: options.burst }),
    proxies: proxies.proxies,
    nowMs: () => behaviour.nowMs,
    onRefused: () => undefined,
    allowedOrigins: [],
    isLoopbackOwn: true,
  });

  const listening = await listenPreview(
    async (request, bindings) => {
      const path = new URL(request.url).pathname;
      requests.push(`${request.method} ${path}`);
      const body = behaviour.bodies.get(path);
      const answer = async (): Promise<Response> => {
        if (path.startsWith("/report/")) return await intake.fetch(request, bindings);
        if (behaviour.isDown) return new Response(null, { status: 503 });
        if (body !== undefined) return new Response(body, { headers: COMMON_HEADERS });
        if (root === "") return await front.fetch(request, bindings);
        if (!path.startsWith(`${root}/`)) return new Response(null, { status: 404 });
        return await front.fetch(new Request(request.url.replace(root, "")));
      };
      const response = await inPieces(await answer(), behaviour.pieces);
      response.headers.set("Date", new Date(behaviour.nowMs).toUTCString());
      for (const [name, value] of Object.entries(behaviour.headers))
        response.headers.set(name, value);
      return response;
    },
    { port: 0 },
  );

  return {
    url: listening.url + root,
    behaviour,
    reports,
    requests,
    put,
    async publishPages(view, monitors = []) {
      for (const language of LANGUAGES) {
        const folder = language === "en" ? "en/" : "";
        await put(`${folder}index.html`, renderIndex(frameOf(language, view.address), view));
        for (const service of view.services) {
          await put(
            `${folder}status/${service.slug}`,
            renderService(frameOf(language, view.address), view, service),
          );
        }
        for (const monitor of monitors) {
          await put(`api/m/${monitor.id}/badge.svg`, PICTURE);
          await put(
            `${folder}m/${monitor.id}`,
            renderMonitor(frameOf(language, view.address), monitor),
          );
        }
      }
    },
    async publishDocuments(view, updatedAtMs) {
      const documents = buildDocuments({ updatedAtMs, services: view.services });
      for (const { key, body } of documents) await put(key, body);
    },
    close: () => listening.close(),
  };
}
