/** Events for the operator, as codes and values; the log turns them into text. None contains an address. */
export type IntakeEvent =
  /** A write to the store failed or timed out; reports go to the journal, if there is one. Once until `inbox-back`. */
  | { readonly event: "inbox-failed"; readonly message: string }
  /** Writes to the store succeed again. */
  | { readonly event: "inbox-back" }
  /** Neither store nor journal can be written; the response is 503. Once until one can be written again. */
  | { readonly event: "intake-refusing"; readonly message: string }
  /** Lines of the journal that could not be read back, because of a disk fault. */
  | { readonly event: "journal-damaged"; readonly id: string; readonly lines: number }
  /** The journal could not be read or cleaned up; it is retried. */
  | { readonly event: "journal-failed"; readonly message: string };

export type EmitIntakeEvent = (event: IntakeEvent) => void;
