export type EventLevel = "debug" | "info" | "warn" | "error";

/** A field of an event: its type, and what it contains; "" if its name says it. */
export interface EventField<Value> {
  readonly text: string;
  /** Only a type: no field has it. */
  readonly type?: Value;
}

export type EventFields = Readonly<Record<string, EventField<unknown>>>;

type ValueOf<Field> = Field extends EventField<infer Value> ? Value : never;

/** The values of fields. One that may be undefined may be absent. */
export type ValuesOf<Fields extends EventFields> = {
  readonly [
    Name in keyof Fields as undefined extends ValueOf<Fields[Name]> ? never : Name
  ]: ValueOf<Fields[Name]>;
} & {
  readonly [
    Name in keyof Fields as undefined extends ValueOf<Fields[Name]> ? Name : never
  ]?: ValueOf<Fields[Name]>;
};

/** One event. `meaning` and the texts of fields are Markdown; links are relative to `docs/reference/`. */
export interface EventRow<Fields extends EventFields> {
  readonly level: EventLevel;
  readonly meaning: string;
  readonly fields: Fields;
  /** Whether an event of the level `info` is one of `debug`, because nothing in it needs attention. */
  isQuiet?(values: ValuesOf<Fields>): boolean;
  /** What the log for people says; undefined: nothing. A sentence that needs another room is in `src/cli/log/pretty.ts`. */
  sentence?(values: ValuesOf<Fields>): string | undefined;
}

/** The builder of the rows of a level; TypeScript takes the type of the event from its fields. */
function rowsOf(level: EventLevel) {
  return <Fields extends EventFields>(
    meaning: string,
    fields: Fields,
    sentence?: (values: ValuesOf<Fields>) => string | undefined,
  ): EventRow<Fields> => ({ level, meaning, fields, ...(sentence && { sentence }) });
}

export const debug = rowsOf("debug");
export const info = rowsOf("info");
export const warn = rowsOf("warn");
export const error = rowsOf("error");

/** A row whose events are of the level `debug` while all is well. */
export function quietIf<Fields extends EventFields>(
  isQuiet: (values: ValuesOf<Fields>) => boolean,
  row: EventRow<Fields>,
): EventRow<Fields> {
  return { ...row, isQuiet };
}

export function field<Value>(text = ""): EventField<Value> {
  return { text };
}

export function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
