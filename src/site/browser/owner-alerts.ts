import type { OwnerChannel } from "../../contract/owners.ts";
import { create, onSubmit, setText } from "./elements.ts";
import {
  type ApiAnswer,
  ask,
  type Body,
  byId,
  data,
  fill,
  type Held,
  momentOf,
  refusalOf,
  say,
  words,
} from "./owner-context.ts";
import { askPermission, isPushPossible, subscribeInTime } from "./push-permission.ts";

/* Where an owner is told of failures: webhooks, and this browser. */

/** What the section needs of its page. */
export interface AlertsPage {
  readonly held: () => Held | undefined;
  readonly reload: () => Promise<void>;
}

/** Shows the channels of a monitor; without a notifier there is nothing to show. */
export function showAlerts(
  { channels = [], pushKey }: Body,
  isOpen: boolean,
  page: AlertsPage,
): void {
  const section = byId("alerts");
  section.hidden = !isOpen || pushKey === undefined;
  section.dataset["key"] = pushKey ?? "";
  byId("push").hidden = !isPushPossible();
  const list = byId("channels");
  list.replaceChildren(...channels.map((channel) => rowOf(channel, page)));
  list.hidden = channels.length === 0;
}

function rowOf(channel: OwnerChannel, page: AlertsPage): HTMLElement {
  const { kind, to, stoppedAt } = channel;
  const name = fill(words.channels[kind], { to });
  const end =
    stoppedAt === undefined ? "" : ` ${fill(words.channelStopped, { date: momentOf(stoppedAt) })}`;
  const button = create("button", { type: "button", className: "plain" }, words.removeChannel);
  button.setAttribute("aria-label", `${words.removeChannel}: ${name}`);
  button.addEventListener("click", () => void removeChannel(channel, page));
  return create("li", {}, create("span", {}, name + end), " ", button);
}

async function removeChannel({ id, kind }: OwnerChannel, page: AlertsPage): Promise<void> {
  const section = byId("alerts");
  const held = page.held();
  if (held === undefined) return;
  say(section, words.sending);
  const answer = await ask("DELETE", `/${held.id}/channels/${id}`, { key: held.key });
  if (answer.status !== 200) return say(section, refusalOf(answer));
  if (kind === "push") await endSubscription();
  byId("secret").hidden = true;
  await page.reload();
  say(section, words.channelRemoved);
  byId("alerts-title").focus();
}

/** Of this browser, if no other monitor uses it: the service of its maker need not keep it. */
async function endSubscription(): Promise<void> {
  if (!isPushPossible()) return;
  const registration = await navigator.serviceWorker.getRegistration(workerUrl());
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

function workerUrl(): string {
  return data["worker"] ?? "";
}

async function addChannel(page: AlertsPage, body: object): Promise<ApiAnswer | undefined> {
  const section = byId("alerts");
  const held = page.held();
  if (held === undefined) return undefined;
  say(section, words.sending);
  const answer = await ask("POST", `/${held.id}/channels`, { key: held.key, body });
  if (answer.status !== 201) {
    say(section, answer.body.code === "invalid" ? words.webhookRule : refusalOf(answer));
    return undefined;
  }
  await page.reload();
  return answer;
}

async function addWebhook(page: AlertsPage): Promise<void> {
  const input = byId("webhook", HTMLInputElement);
  const answer = await addChannel(page, { webhook: input.value.trim() });
  input.setAttribute("aria-invalid", String(answer === undefined));
  if (answer === undefined) return input.focus();
  input.value = "";
  setText(byId("webhook-secret"), answer.body.secret);
  byId("secret").hidden = false;
  say(byId("alerts"), words.webhookAdded);
}

async function addBrowser(page: AlertsPage): Promise<void> {
  const section = byId("alerts");
  const refusal = await askPermission();
  if (refusal !== undefined) return say(section, words.pushProblems[refusal]);
  say(section, words.sending);
  const subscription = await subscribeInTime(async () => {
    const registration = await navigator.serviceWorker.register(workerUrl());
    await navigator.serviceWorker.ready;
    return registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: section.dataset["key"] ?? "",
    });
  });
  if (typeof subscription === "string") return say(section, words.pushProblems[subscription]);
  const push = subscription.toJSON();
  const language = document.documentElement.lang === "en" ? "en" : "ru";
  if (await addChannel(page, { push, language })) say(section, words.pushAdded);
}

/** Makes the section work. */
export function listenToAlerts(page: AlertsPage): void {
  byId("push").addEventListener("click", () => void addBrowser(page));
  onSubmit("#webhook-form", () => void addWebhook(page));
}
