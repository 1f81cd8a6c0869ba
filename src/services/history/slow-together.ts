/** The critical endpoints of one service in one run, by URL. */
export interface Pace {
  readonly measured: readonly string[];
  readonly slow: readonly string[];
}

/** Two services can be slow by chance. */
const MIN_SERVICES = 3;

/**
 * The networks of which half of the measured endpoints, and three services or more, are slow at once: the cause is the network or the
 * way to it, so it is told once. Source: docs/services/verdicts.md, "Slow together".
 *
 * @param networks names of networks, by URL.
 */
export function findSlowNetworks(
  services: readonly Pace[],
  networks: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const endpoints = services.flatMap(({ measured, slow }, service) =>
    measured.map((url) => ({ network: networks.get(url), service, isSlow: slow.includes(url) })),
  );
  const isSlowTogether = (network: string): boolean => {
    const own = endpoints.filter((endpoint) => endpoint.network === network);
    const slow = own.filter(({ isSlow }) => isSlow);
    const slowServices = new Set(slow.map(({ service }) => service));
    return slowServices.size >= MIN_SERVICES && 2 * slow.length >= own.length;
  };
  return new Set([...new Set(networks.values())].filter(isSlowTogether));
}

/** The network that makes a service slow; null: one of its slow endpoints is elsewhere. */
export function slowNetworkOf(
  { slow }: Pace,
  networks: ReadonlyMap<string, string>,
  slowNetworks: ReadonlySet<string>,
): string | null {
  const own = slow.map((url) => networks.get(url) ?? "");
  return own.every((network) => slowNetworks.has(network)) ? (own[0] ?? null) : null;
}
