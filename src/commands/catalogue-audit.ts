import { auditCatalogue } from "../history/audit.ts";
import type { Log } from "../log/log.ts";
import { renderAudit } from "../render/audit-table.ts";
import { loadState } from "../state.ts";
import { openStore } from "../store/open.ts";
import { readCatalogue } from "./catalogue-file.ts";
import type { ExitCode, Io } from "./io.ts";
import { readNetworks } from "./networks.ts";
import { openChecklist } from "./settings.ts";

export interface AuditFlags {
  readonly catalogue: string;
  readonly state: string;
  readonly json?: boolean;
}

/** `catalogue audit`: what a day of runs or more says about the catalogue. Changes nothing; exit code 0 whatever it finds. */
export async function catalogueAuditCommand(
  flags: AuditFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const { take, note, settle } = openChecklist();
  const catalogue = take(await readCatalogue(flags.catalogue));
  const opened = await openStore(flags.state, { role: "private" });
  if (opened.kind === "refused") note(opened.message);
  settle();
  if (catalogue === undefined || opened.kind === "refused") throw new TypeError("nothing to audit");
  const { state } = await loadState(opened.store, log.emit);
  const audit = auditCatalogue(catalogue, state, await readNetworks(), io.wallMs());
  io.print(
    flags.json === true ? JSON.stringify(audit, undefined, 2) : renderAudit(flags.catalogue, audit),
  );
  return 0;
}
