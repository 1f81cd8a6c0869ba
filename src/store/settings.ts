/**
 * What a store holds: public documents, the private state, the registry of monitors, or what the runner and its vantages exchange; `ask` and
 * `evidence` are the two sides of that, as a vantage names them.
 */
export type StoreRole = "public" | "private" | "registry" | "exchange" | "ask" | "evidence";

/** The option that names the store of a role, for messages. */
export const SETTING_OF = {
  public: "--store",
  private: "--state",
  registry: "--monitors",
  exchange: "--exchange",
  ask: "--ask",
  evidence: "--evidence",
} as const satisfies Record<StoreRole, string>;
