import { readPublishSettings } from "../../setup/publish-settings.ts";
import { randomBytes } from "node:crypto";
import { createInboxId } from "../../store/inbox-id.ts";
import { inboxKey, encodeInbox, MAX_INBOX_REPORTS, toInboxObject } from "../../state/inbox.ts";
import { NO_REPORTS, type Report } from "../../model/service/reports.ts";
import { refresh } from "../../pipeline/publish/refresh.ts";
import { findService } from "../../setup/files/catalogue-file.ts";
import type { Action } from "../../setup/io.ts";
import type { Flags, PublishFlags } from "../../setup/options/options.ts";

/**
 * `report add`: counts reports that did not come through the intake, each as if from a network of its own, and publishes. For support
 * staff, imports with `--at`, and tests.
 */
export const reportAddCommand: Action<PublishFlags & Flags<"report">, [slug: string]> = async (
  { flags, problems, io, log },
  slug,
) => {
  const { count, symptom } = flags;
  const atMs = flags.atMs ?? io.wallMs();
  const { catalogue, ready } = await readPublishSettings(flags, problems);
  if (catalogue !== undefined) problems.unwrap(findService(slug, catalogue));
  const publishing = ready().setup;
  const reports = Array.from({ length: count }, (): Report => {
    const from = { network: randomId(), block: randomId() };
    return { slug, atMs, ...from, ...(symptom === undefined ? {} : { symptom }) };
  });
  for (let from = 0; from < count; from += MAX_INBOX_REPORTS) {
    const object = toInboxObject(encodeInbox(reports.slice(from, from + MAX_INBOX_REPORTS)));
    await publishing.stateStore.write(inboxKey(createInboxId(atMs)), object, { kind: "absent" });
  }
  // It prints counts, which need the inbox.
  const { snapshot } = await refresh({ ...publishing, emit: log.emit, mustCount: true }, atMs);
  const { hour, day } = snapshot.services.find((one) => one.slug === slug)?.reports ?? NO_REPORTS;
  io.print(`Counted ${count} of ${slug}: ${hour} in the last hour, ${day} in the last 24 hours.`);
  return 0;
};

/** In the format of a keyed hash, but of no real network. */
function randomId(): string {
  return randomBytes(9).toString("base64url");
}
