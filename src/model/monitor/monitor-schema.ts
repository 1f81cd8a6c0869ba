import { MONITOR_ID } from "../ids.ts";
import * as z from "zod";
import { MAX_URL_CHARACTERS } from "../host-name.ts";

/*
 * The record of a monitor, with every key and bound. All forms of it are derived from here: the registry, the settings and answers of
 * owners, the stored record, the target of a check, the documentation of the API.
 */

const MAX_NAME_LENGTH = 120;
const MAX_LABEL_LENGTH = 40;
const MAX_BODY_LENGTH = 1_000;
const MIN_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 20_000;

/** The name of a monitor that has none: its host, cut off because a host can be twice as long as a name. Throws if there is no URL. */
export function defaultNameOf(url: string): string {
  return new URL(url).host.slice(0, MAX_NAME_LENGTH);
}

/** How values are judged, at each place where a monitor comes in. */
export interface ValueRules {
  /** A text that is shown in one line. */
  readonly shown: (maxLength: number) => z.ZodType<string, string>;
  /** A text that is compared, so its blanks count. */
  readonly exact: (maxLength: number) => z.ZodType<string, string>;
  /** A whole number. `message` says what it has to be. */
  readonly whole: (min: number, max: number, message: string) => z.ZodType<number, number>;
}

/** Statuses that count as healthy. */
export function statuses(
  status: z.ZodType<number, number>,
): z.ZodType<readonly number[], readonly number[]> {
  return z
    .array(status)
    .refine(
      ({ length }) => length > 0,
      "is empty; list at least one status, or remove the key for the default.",
    )
    .refine((list) => new Set(list).size === list.length, "lists a status twice; remove one.");
}

/** The keys of a monitor in its normal form. An optional key is absent where it has its default. */
export function monitorShape({ shown, exact, whole }: ValueRules) {
  return {
    /** Unique case-insensitively. */
    id: z
      .string()
      .regex(MONITOR_ID, "not an id; use 1 to 64 of the letters A-Z and a-z, digits, _ and -."),
    /** Absolute http or https URL in its normal form. */
    url: z.url({ protocol: /^https?$/u }).max(MAX_URL_CHARACTERS),
    /** Given by the owner; the host by default. Hostile input. */
    name: shown(MAX_NAME_LENGTH),
    isPublic: z.boolean(),
    /** Statuses that count as healthy. Absent: any below 400, after redirects. A 3xx named here is not followed. */
    expect: z.exactOptional(
      statuses(whole(100, 599, "not an HTTP status; write a whole number from 100 to 599.")),
    ),
    /** Limit of one check, milliseconds. Absent: the greatest. */
    timeoutMs: z.exactOptional(
      whole(
        MIN_TIMEOUT_MS,
        MAX_TIMEOUT_MS,
        `write a whole number of milliseconds from ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}.`,
      ),
    ),
    /** Text that the body of a healthy answer must contain. */
    body: z.exactOptional(exact(MAX_BODY_LENGTH)),
    /** Left text of the badge. Absent: the word for uptime. */
    label: z.exactOptional(shown(MAX_LABEL_LENGTH)),
  };
}

/** A whole number within its bounds; one message says all that can be wrong with it. */
export const wholeWithin: ValueRules["whole"] = (minimum, maximum, message) =>
  z
    .number()
    .refine((n) => Number.isInteger(n) && n >= minimum && n <= maximum, message)
    .meta({ type: "integer", minimum, maximum });

/** Texts were judged by their words where they came in. A character has at most two UTF-16 units. */
function within(maxLength: number): z.ZodType<string, string> {
  return z.string().refine(({ length }) => length <= 2 * maxLength, "is too long");
}

/** A monitor in its normal form. */
export const MONITOR = z.strictObject(
  monitorShape({ shown: within, exact: within, whole: wholeWithin }),
);

/** What is stored was judged when it came in: a bound that is lowered later must not make it unreadable. */
const STORED = monitorShape({
  shown: () => z.string(),
  exact: () => z.string(),
  whole: () => z.int().min(0),
});

/** A monitor as it is stored. */
export const STORED_MONITOR = z.strictObject(STORED);

/** What a check needs of a monitor: all but what is only shown. */
export const CHECKED_MONITOR = MONITOR.omit({ name: true, isPublic: true, label: true });

type Unset<T extends z.core.$ZodShape> = {
  readonly [K in keyof T]: z.ZodExactOptional<z.ZodNullable<Inner<T[K]>>>;
};
type Inner<T extends z.core.SomeType> = T extends z.ZodExactOptional<infer Of> ? Of : T;

/** Keys that may be left alone, and whose default null brings back. */
function unset<T extends z.core.$ZodShape>(shape: T): Unset<T> {
  const keys = Object.entries(shape).map(([key, one]) => {
    const inner = one instanceof z.ZodExactOptional ? one.unwrap() : one;
    return [key, z.exactOptional(z.nullable(inner))];
  });
  // The type of entries does not say which schema has which key.
  return Object.fromEntries(keys) as Unset<T>;
}

const { id: _, url, isPublic, ...others } = STORED;

/** Settings that an owner may change, as they are stored. `url`: another address that needs no new proof. */
export const OWNER_SETTINGS = z.strictObject({
  ...unset(others),
  isPublic: z.exactOptional(isPublic),
  url: z.exactOptional(url),
});

/** The default of each key that a monitor may lack. */
export const NO_SETTINGS = Object.fromEntries(
  Object.entries(STORED).flatMap(([key, one]) =>
    one instanceof z.ZodExactOptional ? [[key, null]] : [],
  ),
);
