/**
 * The script of «Следить за сервисом» on the page of a service: switches notices of this browser on and off. The page works without it, and
 * then has links only. Source: docs/website.md, "Following a service".
 */
import type { FollowScriptWords } from "../words/pages/follow.ts";
import { all, setText } from "./elements.ts";
import { askPermission, isPushPossible } from "./push-permission.ts";
import { canKeep, follow, type Place, recall, renew, type Saved } from "./subscription.ts";

/** Safari on an iPad says that it runs on a Mac, but a Mac has no touch screen. */
const isMobileApple = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 0);
const isPossible = (): boolean => isPushPossible() && canKeep();

const box = (): HTMLElement | undefined => all("#push")[0];
const wordsIn = ({ dataset }: HTMLElement): FollowScriptWords =>
  JSON.parse(dataset["words"] ?? "{}") as FollowScriptWords;

function placeIn({ dataset }: HTMLElement): Place {
  const { api = "", worker = "", scope = "", key = "" } = dataset;
  return { api, worker, scope, key };
}

let isBusy = false;

function show(said?: string): void {
  const push = box();
  if (push === undefined) return;
  const words = wordsIn(push);
  const [one, every] = all("#push-one, #push-all", push);
  push.hidden = false;
  if (one === undefined || every === undefined) return;
  const services = recall()?.services ?? [];
  const isOn = services.includes(push.dataset["service"] ?? "");
  const isDenied = isPossible() && Notification.permission === "denied";
  one.hidden = !isPossible() || isDenied;
  every.hidden = one.hidden || services.length < (isOn ? 2 : 1);
  setText(one, isOn ? words.turnOff : words.turnOn);
  setText(all("#push-state", push)[0], said ?? stateOf(services, isOn, isDenied, words));
}

function stateOf(
  services: readonly string[],
  isOn: boolean,
  isDenied: boolean,
  words: FollowScriptWords,
): string {
  if (!isPossible()) return isMobileApple() ? words.apple : words.unsupported;
  if (isDenied) return words.denied;
  const inAll = words.inAll.replace("{count}", String(services.length));
  if (!isOn) return services.length > 0 ? inAll : "";
  return services.length > 1 ? `${words.isOn} ${inAll}` : words.isOn;
}

/** Carries out a press of a button, and says what became of it. */
async function press(push: HTMLElement, isAll: boolean): Promise<void> {
  const words = wordsIn(push);
  const slug = push.dataset["service"] ?? "";
  const services = recall()?.services ?? [];
  const others = services.filter((one) => one !== slug);
  const isEnd = isAll || services.includes(slug);
  const refusal = isEnd ? undefined : await askPermission();
  if (refusal !== undefined) return show(words[refusal]);
  if (!isEnd) show(words.turningOn);
  const wanted = isAll ? [] : isEnd ? others : [...services, slug];
  const saved = await follow(wanted, placeIn(push)).catch((): Saved => "failed");
  if (saved !== "saved") return show(words[saved === "too-many" ? "tooMany" : saved]);
  show(isEnd ? words.turnedOff : undefined);
  // The second button may have gone with its purpose.
  if (isAll) all("#push-one")[0]?.focus();
}

document.addEventListener("click", ({ target }) => {
  const id = target instanceof HTMLElement ? target.id : "";
  const push = box();
  if (push === undefined || isBusy || !["push-one", "push-all"].includes(id)) return;
  isBusy = true;
  void press(push, id === "push-all").finally(() => (isBusy = false));
});

show();
// The script of all pages replaces the main part when the verdict changes.
const main = all("main")[0];
if (main) new MutationObserver(() => show()).observe(main, { childList: true });
const start = box();
if (start && isPossible()) void renew(placeIn(start)).then(() => show());
