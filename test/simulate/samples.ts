import type { Catalogue } from "../../src/model/service/catalogue.ts";
import { catalogueOf, endpointOf, minutes, serviceOf, T0 } from "../model/samples.ts";
import { LAYERS, type NetworkEvent } from "./events.ts";
import { topologyOf } from "./sites.ts";

/** One service with two critical endpoints and a minor one, one that is restricted, and anchors. */
export const CATALOGUE: Catalogue = catalogueOf(
  [
    serviceOf("bank", [
      endpointOf("https://bank.example.ru/", true),
      endpointOf("https://api.bank.example.ru/", true),
      endpointOf("https://static.example.com/", false),
    ]),
    serviceOf("forbidden", [endpointOf("https://forbidden.example.com/", true)], ["restricted"]),
  ],
  [
    "https://ya.ru/",
    "https://mail.ru/",
    "https://rutube.ru/",
    "https://selectel.ru/",
    "https://nic.ru/",
  ],
);

export const TOPOLOGY = topologyOf(CATALOGUE);

/** By default, the main endpoint of the bank is down from the 60th to the 120th minute. */
export function eventOf(changes: Partial<NetworkEvent> = {}): NetworkEvent {
  return {
    cause: "outage",
    isGenuine: true,
    layer: LAYERS.service,
    startMs: T0 + minutes(60),
    endMs: T0 + minutes(120),
    sites: [0],
    subjects: [],
    effect: { kind: "fail", failures: ["tcp-timeout"], ratio: 1 },
    ...changes,
  };
}
