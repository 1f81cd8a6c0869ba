import type { CutBy } from "../../model/service/interference.ts";
import type { Words } from "./language.ts";

/** What the experiment after a failure showed: facts, and no claim. Nothing is said of one that showed nothing. */
export const EXPERIMENT_WORDS: Words<Exclude<CutBy, "unknown">> = {
  ru: {
    name: "Под другим именем тот же адрес отвечает.",
    none: "Под другим именем тот же адрес тоже не отвечает.",
    address: "Другие адреса той же сети отвечают.",
    network: "Другие адреса той же сети тоже не отвечают.",
  },
  en: {
    name: "The same address answers under another name.",
    none: "The same address does not answer under another name either.",
    address: "Other addresses of the same network answer.",
    network: "Other addresses of the same network do not answer either.",
  },
};
