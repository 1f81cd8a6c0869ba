import type { z } from "zod";
import type { Monitor } from "../../model/monitor/monitor.ts";
import { checkShape } from "../../yaml/check-shape.ts";
import type { Finding } from "../../yaml/problem.ts";
import type { Located } from "../../yaml/strict-yaml.ts";
import { faultInNewId, isMonitorId, monitorSchema, type MonitorRules } from "./registry-schema.ts";

/** One entry of a registry, valid or not. */
export interface Entry {
  /** Its beginning, in UTF-16 units of the text; for JSON lines the beginning of its line. */
  readonly offset: number;
  /** The id as written, also of an entry with other faults; undefined if there is none of the right form. */
  readonly id: string | undefined;
  /** Undefined if the entry is invalid. */
  readonly monitor: Monitor | undefined;
}

/** The content of a registry at the place of an entry. */
export interface Candidate {
  readonly root: Located;
  readonly offset: number;
  /** Prefix of the paths of findings inside. */
  readonly path: readonly PropertyKey[];
  /** Its name for people, `line 12`. */
  readonly where: string;
  /** Earlier findings. */
  readonly findings: readonly Finding[];
}

/** Why an entry with this id does not belong into the file; undefined if it does. */
export type FaultInPlace = (id: string) => string | undefined;

/** Ten times the number that is ever shown. */
const MAX_COLLECTED = 1_000;

/** Validates the entries of one registry one by one, and remembers the values that must be unique. */
export class Judge {
  readonly entries: Entry[] = [];
  readonly findings: Finding[] = [];
  /** What may stay as it is, but would be refused in a new entry; at most as many as findings. */
  readonly warnings: Finding[] = [];
  /** Findings that were only counted. */
  uncollected = 0;
  readonly #schema: z.ZodType<Monitor>;
  /** Name of the entry that had it first, by lowercase id. */
  readonly #firsts = new Map<string, string>();

  readonly #faultInPlace: FaultInPlace | undefined;

  constructor(rules: MonitorRules, faultInPlace?: FaultInPlace) {
    this.#schema = monitorSchema(rules);
    this.#faultInPlace = faultInPlace;
  }

  judge({ root, offset, path, where, findings }: Candidate): void {
    const written = root.parts.get("id")?.node.value;
    const id = typeof written === "string" && isMonitorId(written) ? written : undefined;
    const shaped = checkShape(root, this.#schema);
    const found = [...findings];
    if (shaped.kind === "misshapen") {
      found.push(...shaped.findings.map((one) => ({ ...one, path: [...path, ...one.path] })));
    }
    const misplaced = id === undefined ? undefined : this.#faultInPlace?.(id);
    if (misplaced !== undefined) {
      const at = root.parts.get("id")?.node.offset ?? root.offset;
      found.push({ offset: at, path: [...path, "id"], message: misplaced });
    }
    const first = id === undefined ? undefined : this.#firsts.get(id.toLowerCase());
    if (first !== undefined) {
      const message = `the same id as ${first}; change or remove one of the two.`;
      const at = root.parts.get("id")?.node.offset ?? root.offset;
      found.push({ offset: at, path: [...path, "id"], message });
    } else if (id !== undefined) this.#firsts.set(id.toLowerCase(), where);
    const isGood = shaped.kind === "ok" && found.length === 0;
    if (isGood) this.#warnOfId(root, path, id ?? "");
    this.note({ offset, id, monitor: isGood ? shaped.value : undefined }, found);
  }

  #warnOfId(root: Located, path: readonly PropertyKey[], id: string): void {
    const fault = faultInNewId(id);
    if (fault === undefined || this.warnings.length === MAX_COLLECTED) return;
    const { offset } = root.parts.get("id")?.node ?? root;
    const message = `${fault}; it is kept, but no new monitor can have it.`;
    this.warnings.push({ offset, path: [...path, "id"], message });
  }

  result(): Pick<Judge, "entries" | "findings" | "warnings" | "uncollected"> {
    const { entries, findings, warnings, uncollected } = this;
    return { entries, findings, warnings, uncollected };
  }

  note(entry: Entry, findings: readonly Finding[]): void {
    this.entries.push(entry);
    for (const finding of findings) {
      if (this.findings.length < MAX_COLLECTED) this.findings.push(finding);
      else this.uncollected += 1;
    }
  }
}
