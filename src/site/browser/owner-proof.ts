import type { OwnerChallenge, OwnerLook } from "../../contract/owners.ts";
import { all, create, setText } from "./elements.ts";
import { ask, type Body, byId, fill, type Held, refusalOf, words } from "./owner-context.ts";

/* The three ways to prove control of a site, and the look for the proof. */

/** Six looks a minute are allowed. */
const LOOK_EVERY_MS = 12_000;
const TICK_MS = 1_000;

/** Fills the tabs with a challenge. */
export function showChallenge(challenge: OwnerChallenge): void {
  const { file, dns, meta } = challenge;
  const texts = {
    file: [file.content, file.url],
    dns: [dns?.value, dns?.name],
    meta: [meta.tag, meta.url],
  } as const;
  for (const [method, [what, where]] of Object.entries(texts)) {
    setText(byId(`${method}-what`), what);
    setText(byId(`${method}-where`), where);
  }
  byId("tab-dns").hidden = dns === undefined;
  byId("no-dns").hidden = dns !== undefined;
  byId("prove").hidden = false;
}

/** Makes the tabs work with a mouse and with arrow keys. Source: WAI-ARIA Authoring Practices, "Tabs". */
export function listenToTabs(): void {
  const select = (chosen: HTMLElement): void => {
    for (const tab of all('[role="tab"]')) {
      const isChosen = tab === chosen;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      byId(`way-${tab.dataset["method"]}`).hidden = !isChosen;
    }
    chosen.focus();
  };
  byId("prove").addEventListener("click", ({ target }) => {
    const tab = target instanceof Element && target.closest<HTMLElement>('[role="tab"]');
    if (tab) select(tab);
  });
  byId("prove").addEventListener("keydown", (event) => {
    const list = all('[role="tab"]').filter(({ hidden }) => !hidden);
    const at = list.indexOf(event.target as HTMLElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    select(list[(at + step + list.length) % list.length] as HTMLElement);
  });
}

const sentenceOf = ({
  method,
  found,
  excerpt,
  httpStatus,
  host,
  code,
}: OwnerLook["places"][number]): string => {
  const { failures, problems } = words;
  switch (found) {
    case "found":
      return words.found;
    case "other":
      return fill(words.other[method], { text: excerpt });
    case "elsewhere":
      return fill(words.elsewhere, { host });
    case "failed":
      return fill(words.failed, {
        why: failures[code as keyof typeof failures] ?? problems.unavailable,
      });
    default: {
      const status =
        httpStatus === undefined ? "" : ` ${fill(words.httpStatus, { status: httpStatus })}`;
      return words.absent[method] + status;
    }
  }
};

function showFindings({ places = [], denied }: Partial<OwnerLook> = {}): void {
  const items = places.map((place) => {
    const light = create("span", { className: "light", ariaHidden: "true" });
    const name = byId(`tab-${place.method}`).textContent ?? "";
    const item = create("li", {}, light, `${name.trim()}: ${sentenceOf(place)}`);
    item.dataset["light"] = place.found === "found" ? "ok" : "none";
    return item;
  });
  byId("findings").replaceChildren(...items);
  if (denied) setText(byId("looked"), words.deniedLook);
}

/** Looks on request and, while the page is seen, again and again until the proof is found. */
export function listenToLooks(held: () => Held | undefined, onProved: () => void): () => void {
  let isOn = false;
  let isBusy = false;
  let nextMs = 0;
  const look = async (): Promise<void> => {
    const asked = held();
    if (asked === undefined || isBusy) return;
    isBusy = true;
    setText(byId("looked"), words.looking);
    const answer = await ask("POST", `/${asked.id}/verify`, { key: asked.key });
    isBusy = false;
    if (held() !== asked) return;
    nextMs = performance.now() + Math.max(LOOK_EVERY_MS, answer.retryAfterMs);
    if (answer.status !== 202) return setText(byId("looked"), refusalOf(answer));
    setText(byId("looked"), words.notFound);
    showFindings(answer.body.look);
    if (answer.body.status !== "proved") return;
    isOn = false;
    setText(byId("looked"), "");
    onProved();
  };
  byId("check").addEventListener("click", () => {
    const leftMs = nextMs - performance.now();
    isOn = true;
    if (leftMs <= 0) void look();
    else setText(byId("looked"), fill(words.wait, { seconds: Math.ceil(leftMs / 1_000) }));
  });
  setInterval(() => {
    if (isOn && !document.hidden && performance.now() >= nextMs) void look();
  }, TICK_MS);
  return () => {
    isOn = false;
    nextMs = 0;
    byId("findings").replaceChildren();
    setText(byId("looked"), "");
  };
}

/** The challenge to show of a record: that of a move goes first. */
export function challengeOf({ challenges = [] }: Body): OwnerChallenge | undefined {
  return challenges.find((one) => one.for === "url") ?? challenges[0];
}
