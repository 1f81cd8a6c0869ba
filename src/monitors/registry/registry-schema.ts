import { onceFor } from "../../model/lists.ts";
import * as z from "zod";
import { MAX_URL_CHARACTERS } from "../../model/host-name.ts";
import type { Monitor } from "../../model/monitor/monitor.ts";
import { defaultNameOf, monitorShape, wholeWithin } from "../../model/monitor/monitor-schema.ts";
import { checkedText, strictMapping } from "../../yaml/check-shape.ts";
import { faultInName, faultInText, normaliseName, parseUrl } from "../../yaml/validators.ts";

/** Rules about addresses, which this layer does not know. */
export interface MonitorRules {
  /** Why this URL may not be requested, judged by its text alone; undefined if it may. */
  readonly refusalOfUrl: (url: URL) => string | undefined;
}

/** Device names, which files and folders on Windows cannot have. Source: Microsoft, "Naming Files, Paths, and Namespaces". */
const DEVICE = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])$/i;

/**
 * Why a new monitor cannot have this id, as the end of a sentence that begins with it; undefined if it can. An existing monitor
 * keeps it. Source: docs/monitors/registry.md, "Ids". Never throws.
 */
export function faultInNewId(id: string): string | undefined {
  if (id.startsWith("-")) return "begins with a hyphen, which commands take for an option";
  return DEVICE.test(id)
    ? "is the name of a device on Windows, where no folder can have it"
    : undefined;
}

/** A URL in its normal form, without a fragment, which servers never see; or the fault in its text. */
function parseAddress(written: string, { refusalOfUrl }: MonitorRules): URL | string {
  const url = parseUrl(written);
  if (typeof url === "string") return url;
  url.hash = "";
  const refusal = refusalOfUrl(url);
  if (refusal !== undefined) return /[.!?]$/.test(refusal) ? refusal : `${refusal}.`;
  return url.href.length > MAX_URL_CHARACTERS
    ? `is over ${MAX_URL_CHARACTERS} characters long once its special characters are encoded; shorten it.`
    : url;
}

/** A URL that strangers may make us request, in its normal form. */
export function address(rules: MonitorRules): z.ZodType<URL, string> {
  return z.string().transform((written, context) => {
    const url = parseAddress(written, rules);
    if (typeof url !== "string") return url;
    context.issues.push({ code: "custom", input: written, message: url });
    return z.NEVER;
  });
}

/** What people may write: blanks at the ends of a shown text are not kept. */
const WRITTEN = monitorShape({
  shown: (maxLength) =>
    checkedText((written) => faultInName(written, maxLength)).transform(normaliseName),
  exact: (maxLength) =>
    checkedText((written) => {
      const { length } = [...written];
      return length > maxLength
        ? `is ${length} characters long; use at most ${maxLength}.`
        : faultInText(written, maxLength);
    }),
  whole: wholeWithin,
});

/** An entry of the registry as it is written. */
export type WrittenMonitor = Omit<Partial<Monitor>, "id" | "url" | "isPublic" | "ownedSinceMs"> &
  Pick<Monitor, "id" | "url"> & { readonly public?: boolean };

/**
 * An entry of the registry, and the monitor that it describes, with its defaults. A schema is compiled when it is first used, so each set of
 * rules has one. Source: docs/monitors/registry.md.
 */
export const monitorSchema = onceFor((rules: MonitorRules): z.ZodType<Monitor> => {
  const { id, url: _, name, isPublic, ...others } = WRITTEN;
  return strictMapping({
    id,
    url: address(rules),
    name: z.exactOptional(name),
    public: z.exactOptional(isPublic),
    ...others,
  }).transform(({ id, url, name, public: isPublic, ...rest }) => ({
    id,
    url: url.href,
    name: name ?? defaultNameOf(url.href),
    isPublic: isPublic ?? false,
    ...rest,
  }));
});

/** The inverse of `monitorSchema`: an entry without defaults; with its name if `isNamed`. Never throws. */
export function toWritten(
  monitor: Monitor,
  isNamed: boolean = monitor.name !== defaultNameOf(monitor.url),
): WrittenMonitor {
  const { id, url, name, isPublic, ownedSinceMs: _, ...rest } = monitor;
  return { id, url, ...(isNamed ? { name } : {}), ...(isPublic ? { public: true } : {}), ...rest };
}
