/** One further connection after a failure, and how it ended. Source: docs/probe/experiment.md. */
export type ExperimentStep =
  /**
   * The same address and port, with a neutral name, which is not blocked. `answered`: as far as the failed probe did not get; `cut`: as that one;
   * `unreachable`: no connection; `unclear`: the server refused this name before the stage in question.
   */
  | {
      readonly kind: "neutral-name";
      readonly answer: "answered" | "cut" | "unreachable" | "unclear";
    }
  /** A TCP connection to another address of the catalogue in the same network. */
  | { readonly kind: "neighbour"; readonly address: string; readonly isConnected: boolean };

/**
 * What the failure depends on. `name`: the address answers under another name. `address`: only its neighbours answer. `network`: nor
 * do they. `none`: the address fails under every name. `unknown`: nothing could be compared.
 */
export type CutBy = "name" | "address" | "network" | "none" | "unknown";
