import { auditCatalogue } from "../history/audit.ts";
import type { Log } from "../log/log.ts";
import { renderAudit } from "../render/audit-table.ts";
import { loadState } from "../state.ts";
import { openStore } from "../store/open.ts";
import {
  type CatalogueFlags,
  nameCatalogue,
  readCatalogue,
  tellOverlay,
} from "./catalogue-file.ts";
import type { ExitCode, Io } from "./io.ts";
import { readNetworks } from "./networks.ts";
import { openChecklist } from "./settings.ts";

export interface AuditFlags extends CatalogueFlags {
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
  const read = take(await readCatalogue(flags));
  const opened = await openStore(flags.state, { role: "private" });
  if (opened.kind === "refused") note(opened.message);
  settle();
  if (read === undefined || opened.kind === "refused") throw new TypeError("nothing to audit");
  tellOverlay(read.warnings, log.emit);
  const { state } = await loadState(opened.store, log.emit);
  const audit = auditCatalogue(read.catalogue, state, await readNetworks(), io.wallMs());
  io.print(
    flags.json === true
      ? JSON.stringify(audit, undefined, 2)
      : renderAudit(nameCatalogue(flags), audit),
  );
  return 0;
}
