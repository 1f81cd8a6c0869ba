import { auditCatalogue } from "../../services/history/audit-endpoints.ts";
import type { Log } from "../../setup/log.ts";
import { renderAudit } from "../output/audit-table.ts";
import { loadState } from "../../state/state-file.ts";
import { openStore } from "../../store/open.ts";
import {
  type CatalogueFlags,
  nameCatalogue,
  readCatalogue,
  warnOfOverlay,
} from "../../setup/files/catalogue-file.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { readNetworks } from "../../setup/files/read-networks.ts";
import { collectProblems } from "../../setup/parse-options.ts";

export interface AuditFlags extends CatalogueFlags {
  readonly state: string;
  readonly json?: boolean;
}

/** `catalogue audit`: what the runs of up to seven days show about the catalogue. Changes nothing; exit code 1 while a critical endpoint has never answered itself. */
export async function catalogueAuditCommand(
  flags: AuditFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const { unwrap, addProblem, throwIfAny } = collectProblems();
  const read = unwrap(await readCatalogue(flags));
  const opened = await openStore(flags.state, { role: "private" });
  if (opened.kind === "refused") addProblem(opened.message);
  throwIfAny();
  if (read === undefined || opened.kind === "refused") throw new TypeError("nothing to audit");
  warnOfOverlay(read.warnings, log.emit);
  const { state } = await loadState(opened.store);
  const audit = auditCatalogue(read.catalogue, state, await readNetworks(), io.wallMs());
  io.print(
    flags.json === true
      ? JSON.stringify(audit, undefined, 2)
      : renderAudit(nameCatalogue(flags), audit),
  );
  return audit.kind === "audited" && audit.unreached > 0 ? 1 : 0;
}
