/** What a store is for: documents that everybody reads, or the state that nobody else may. */
export type StoreRole = "public" | "private";

/** The option that a person changes to move a store of this role; messages name it. */
export const SETTING_OF = {
  public: "--store",
  private: "--state",
} as const satisfies Record<StoreRole, string>;
