import { z } from "zod";
import { MAX_URL_CHARACTERS, type Monitor } from "../../model/monitor/monitor.ts";
import { strictMapping } from "../../yaml/check-shape.ts";
import { faultInName, faultInText, normaliseName } from "../../yaml/validators.ts";

/** Rules about addresses, which this layer does not know. */
export interface MonitorRules {
  /** Why this URL may not be requested, judged by its text alone; undefined if it may. */
  readonly refusalOfUrl: (url: URL) => string | undefined;
}

const MAX_NAME_LENGTH = 120;
const MAX_LABEL_LENGTH = 40;
const MAX_BODY_LENGTH = 1_000;
const SHORTEST_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 20_000;

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a text can be the id of a monitor. Source: docs/monitors/registry.md, "Ids". Never throws. */
export function isMonitorId(text: string): boolean {
  return ID.test(text);
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

/** A text, validated by a function that returns the fault in it. */
function text(faultIn: (written: string) => string | undefined): z.ZodString {
  return z.string().check((context) => {
    const message = faultIn(context.value);
    if (message !== undefined) {
      context.issues.push({ code: "custom", input: context.value, message });
    }
  });
}

/** The fault in the text of an address before any lookup; undefined if there is none. */
function faultInAddress(written: string): string | undefined {
  if (written.length > MAX_URL_CHARACTERS)
    return `is over ${MAX_URL_CHARACTERS} characters long; shorten it.`;
  if (!/^https?:\/\/[^/?#]/i.test(written)) {
    return "not an absolute http or https URL; write it like https://example.ru/.";
  }
  if (/[\s\\\p{Cc}]/u.test(written) || !URL.canParse(written)) {
    return "not a valid URL; check its host, port and characters.";
  }
  return undefined;
}

/** The normal form has no fragment, which servers never see, and omits what the URL standard omits. */
function normalise(written: string): URL {
  const url = new URL(written);
  url.hash = "";
  return url;
}

function refusalOf(url: URL, rules: MonitorRules): string | undefined {
  if (url.username !== "" || url.password !== "") {
    return "a URL may not carry credentials; remove everything before the @.";
  }
  const refusal = rules.refusalOfUrl(url);
  if (refusal !== undefined) return /[.!?]$/.test(refusal) ? refusal : `${refusal}.`;
  return url.href.length > MAX_URL_CHARACTERS
    ? `is over ${MAX_URL_CHARACTERS} characters long once its special characters are encoded; shorten it.`
    : undefined;
}

/** A URL that strangers may make us request, in its normal form. */
export function address(rules: MonitorRules): z.ZodType<URL, string> {
  return z.string().transform((written, context) => {
    const url = faultInAddress(written) ?? normalise(written);
    const message = typeof url === "string" ? url : refusalOf(url, rules);
    if (message === undefined && typeof url !== "string") return url;
    context.issues.push({ code: "custom", input: written, message: message ?? "" });
    return z.NEVER;
  });
}

const STATUS_RANGE = "not an HTTP status; write a whole number from 100 to 599.";
const STATUS = z
  .number()
  .refine((status) => Number.isInteger(status) && status >= 100 && status <= 599, STATUS_RANGE);

const TIMEOUT_RANGE = `write a whole number of milliseconds from ${SHORTEST_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}.`;
const TIMEOUT = z
  .number()
  .refine(
    (ms) => Number.isInteger(ms) && ms >= SHORTEST_TIMEOUT_MS && ms <= MAX_TIMEOUT_MS,
    TIMEOUT_RANGE,
  );

/** Blanks at the ends are kept: they are part of the expected text. */
const BODY = text((written) => {
  const length = [...written].length;
  return length > MAX_BODY_LENGTH
    ? `is ${length} characters long; use at most ${MAX_BODY_LENGTH}.`
    : faultInText(written, MAX_BODY_LENGTH);
});

/** The name of a monitor that has none: its host, cut off because a host can be twice as long as a name. Never throws. */
export function defaultNameOf({ host }: URL): string {
  return host.slice(0, MAX_NAME_LENGTH);
}

/**
 * The shape of one entry of the registry and the monitor that it describes, defaults filled in. Source: docs/monitors/registry.md.
 */
export function monitorSchema(rules: MonitorRules): z.ZodType<Monitor> {
  return strictMapping({
    id: text((written) =>
      isMonitorId(written)
        ? undefined
        : "not an id; use 1 to 64 of the letters A-Z and a-z, digits, _ and -.",
    ),
    url: address(rules),
    name: z.exactOptional(text(faultInName).transform(normaliseName)),
    public: z.exactOptional(z.boolean()),
    expect: z.exactOptional(
      z
        .array(STATUS)
        .min(1, "is empty; list at least one status, or remove the key for the default.")
        .refine((list) => new Set(list).size === list.length, "lists a status twice; remove one."),
    ),
    timeoutMs: z.exactOptional(TIMEOUT),
    body: z.exactOptional(BODY),
    label: z.exactOptional(
      text((written) => faultInName(written, MAX_LABEL_LENGTH)).transform(normaliseName),
    ),
  }).transform(({ id, url, name, public: isPublic, ...rest }) => ({
    id,
    url: url.href,
    name: name ?? defaultNameOf(url),
    isPublic: isPublic ?? false,
    ...rest,
  }));
}
