import type { ConnectivityState } from "../../model/connectivity.ts";
import type { Words } from "./by-language.ts";

/** Problems of the runner's own network, for visitors. There is none for `offline`: the verdicts then become "no recent data". */
export const CONNECTIVITY_WORDS: Words<Exclude<ConnectivityState, "fine" | "offline">> = {
  ru: {
    half: "Часть сети нашего узла сейчас недоступна: новые сбои проверяем дольше, и о части сервисов может не быть данных.",
    "abroad-cut":
      "Связь нашего узла с зарубежными сетями сейчас нарушена: сбои зарубежных сервисов проверяем дольше, и о части из них может не быть данных.",
    lossy: "Связь нашего узла сейчас неустойчива, поэтому новые сбои проверяем дольше.",
  },
  en: {
    half: "Part of our own network is unreachable right now: new outages take longer to confirm, and some services may have no data.",
    "abroad-cut":
      "Our own connection abroad is disrupted right now: outages of foreign services take longer to confirm, and some of them may have no data.",
    lossy: "Our own connection is unstable right now, so new outages take longer to confirm.",
  },
};
