/** What a store holds: public documents, the private state, or the registry of monitors. */
export type StoreRole = "public" | "private" | "registry";

/** The option that names the store of a role, for messages. */
export const SETTING_OF = {
  public: "--store",
  private: "--state",
  registry: "--monitors",
} as const satisfies Record<StoreRole, string>;
