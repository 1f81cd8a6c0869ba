import type { ArchivePart } from "../../model/service/archive.ts";
import type { State } from "../../model/state.ts";
import { archiveKey } from "../../open-data/archive/archive-documents.ts";
import type { ArchivePartView, ArchiveView } from "../../site/view.ts";

/** The complete days and months of the archive, newest first. */
export function viewArchive({ archive: { days, months } }: State): ArchiveView {
  return { days: days.toReversed().map(viewPart), months: months.toReversed().map(viewPart) };
}

function viewPart({ date, files }: ArchivePart): ArchivePartView {
  return { date, files: files.map(({ name, bytes }) => ({ key: archiveKey(date, name), bytes })) };
}
