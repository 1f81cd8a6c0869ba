import { type ByLanguage, inLanguages, type Words } from "./language.ts";
import type { ConnectivityState } from "../../model/service/connectivity.ts";

/** Problems of the runner's own network, for visitors. There is none for `offline`: the verdicts then become "no recent data". */
export const CONNECTIVITY_WORDS: Words<Exclude<ConnectivityState, "fine" | "offline">> =
  inLanguages({
    half: [
      "При последней проверке часть российских сетей была недоступна с нашего узла: новые сбои проверяем дольше, и о части сервисов может не быть данных.",
      "At the last check some Russian networks could not be reached from our probe: new outages take longer to confirm, and some services may have no data.",
    ],
    "abroad-cut": [
      "При последней проверке связь нашего узла с зарубежными сетями была нарушена: сбои зарубежных сервисов проверяем дольше, и о части из них может не быть данных.",
      "At the last check our own connection abroad was disrupted: outages of foreign services take longer to confirm, and some of them may have no data.",
    ],
    lossy: [
      "При последней проверке связь нашего узла была неустойчива, поэтому новые сбои проверяем дольше.",
      "At the last check our own connection was unstable, so new outages take longer to confirm.",
    ],
  });

/** Services that are slow together, told once. */
export const SLOW_NETWORK_WORDS: ByLanguage<
  (network: string, services: readonly string[]) => string
> = {
  ru: (network, services) =>
    `Медленно отвечает целая сеть, ${network}: ${services.join(", ")}. Причина, скорее всего, общая: сама сеть или путь к ней.`,
  en: (network, services) =>
    `A whole network answers slowly, ${network}: ${services.join(", ")}. They most likely share one cause: the network itself, or the way to it.`,
};
