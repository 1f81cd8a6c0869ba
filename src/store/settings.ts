/** What a store is for: documents that everybody reads, the state that nobody else may, or the registry of monitors. */
export type StoreRole = "public" | "private" | "registry";

/** The option that a person changes to move a store of this role; messages name it. */
export const SETTING_OF = {
  public: "--store",
  private: "--state",
  registry: "--monitors",
} as const satisfies Record<StoreRole, string>;
