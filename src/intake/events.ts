/** What the operator has to hear of. Codes and values; the words are made at the edge. None of them carries an address. */
export type IntakeEvent =
  /** The store did not take reports, or not in time: they go to the journal, if there is one. Told once until it is back. */
  | { readonly event: "inbox-failed"; readonly message: string }
  /** The store takes reports again. */
  | { readonly event: "inbox-back" }
  /** Nothing can keep reports: they are answered with 503. Told once until something can. */
  | { readonly event: "intake-refusing"; readonly message: string }
  /** Lines of the journal that could not be read back: a disk at fault. */
  | { readonly event: "journal-damaged"; readonly id: string; readonly lines: number }
  /** The journal could not be read or tidied; that is tried again. */
  | { readonly event: "journal-failed"; readonly message: string };

export type EmitIntakeEvent = (event: IntakeEvent) => void;
