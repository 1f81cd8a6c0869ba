import type { Catalogue } from "../../src/model/catalogue.ts";
import { catalogueOf, endpointOf, minutes, serviceOf, T0 } from "../model/samples.ts";
import { LAYERS, type WorldEvent } from "./events.ts";
import { castOf } from "./sites.ts";

/** Two services: one with a critical and a side endpoint and a second critical one, one that is restricted; and anchors. */
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

export const CAST = castOf(CATALOGUE);

/** The main endpoint of the bank is dead from the 60th to the 120th minute, unless said otherwise. */
export function eventOf(changes: Partial<WorldEvent> = {}): WorldEvent {
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
