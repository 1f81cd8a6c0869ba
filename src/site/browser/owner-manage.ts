import type { UptimeCount } from "../../model/monitor/monitor.ts";
import { gradeUptime } from "../../model/monitor/pictures.ts";
import { badgeBbCode, badgeHtml, badgeMarkdown } from "../words/badge-snippet.ts";
import { all, onSubmit, setText } from "./elements.ts";
import { listenToAlerts, showAlerts } from "./owner-alerts.ts";
import {
  type ApiAnswer,
  ask,
  type Body,
  byId,
  changesOf,
  data,
  fill,
  fragmentOf,
  type Held,
  heldIn,
  markFaults,
  momentOf,
  refusalOf,
  readSettings,
  say,
  showSettings,
  words,
} from "./owner-context.ts";
import { challengeOf, listenToLooks, listenToTabs, showChallenge } from "./owner-proof.ts";

/* The page on which an owner manages a monitor. */

/** Parts of the page that only a monitor has. */
const PARTS = ["state", "prove", "badges", "alerts", "edit", "keep", "removal"] as const;

const LIGHTS: Readonly<Record<string, string>> = {
  proved: "ok",
  lost: "warn",
  dormant: "bad",
  refused: "bad",
};

let held: Held | undefined;
let record: Body = {};
let etag: string | null = null;
let dataUrl = "";

const show = (id: string, isShown: boolean): void => {
  byId(id).hidden = !isShown;
};

/** The end of what a status means, Unix seconds. */
function endOf({ status, proof, restorableUntil, challenges = [] }: Body): unknown {
  const { pageUntil, recordUntil } = (proof ?? {}) as Readonly<Record<string, unknown>>;
  if (status === "removed") return restorableUntil;
  if (status === "lost") return pageUntil;
  return status === "dormant" ? recordUntil : challenges[0]?.until;
}

function uptimeOf(check: unknown): string {
  const { checks } = (check ?? {}) as { checks?: Record<string, UptimeCount> };
  return gradeUptime(checks?.["30d"] ?? { decided: 0, healthy: 0 }).value ?? "—";
}

function showState(body: Body): void {
  const { status = "expired" } = body;
  setText(byId("state-title"), body.name ?? body.id);
  const site = byId("site", HTMLAnchorElement);
  setText(site, body.url);
  if (body.url !== undefined) site.href = body.url;
  byId("state").dataset["light"] = LIGHTS[status] ?? "none";
  setText(byId("status"), words.statuses[status]);
  const meaning = fill(words.explanations[status], { date: momentOf(endOf(body)) });
  setText(
    byId("explains"),
    body.refusal === undefined ? meaning : `${words[body.refusal.kind]} ${meaning}`,
  );
  showCheck(body, status);
  show("restore", status === "removed");
  show("again", ["proved", "lost", "dormant"].includes(status));
}

function showCheck(body: Body, status: string): void {
  const check = body.lastCheck as
    | { state: keyof typeof words.conditions; warning?: keyof typeof words.warnings }
    | undefined;
  const values = check && { condition: words.conditions[check.state], uptime: uptimeOf(check) };
  const warning = check?.warning === undefined ? "" : words.warnings[check.warning];
  const text = values === undefined ? words.checkedNever : fill(words.checked, values);
  // A wall says all: what was found before it says nothing.
  const said = check?.warning === "robot-wall" ? warning : `${text} ${warning}`.trim();
  setText(byId("last-check"), status === "proved" || status === "lost" ? said : "");
}

function showBadges({ id = "", public: isPublic, status, name }: Body): void {
  const page = `${data["page"] ?? ""}${id}`;
  const badge = `${data["badge"] ?? ""}${id}/badge.svg`;
  const alternative = (name ?? "").replace(/[[\]<>"&]/g, "");
  byId("public-page", HTMLAnchorElement).href = page;
  const link = { badge, page, alternative };
  setText(byId("badge-html"), badgeHtml(link));
  setText(byId("badge-markdown"), badgeMarkdown(link));
  setText(byId("badge-bbcode"), badgeBbCode(link));
  show("badges", isPublic === true && (status === "proved" || status === "lost"));
}

/** A file of everything that the operations tell. */
function offerData(body: Body): void {
  URL.revokeObjectURL(dataUrl);
  const file = new Blob([JSON.stringify(body, undefined, 2)], { type: "application/json" });
  dataUrl = URL.createObjectURL(file);
  byId("data", HTMLAnchorElement).href = dataUrl;
}

const PAGE = { held: (): Held | undefined => held, reload: load };

function showRecord(answer: ApiAnswer): void {
  const { body } = answer;
  record = body;
  etag = answer.etag;
  const isCandidate = body.status === "candidate";
  const isOpen = !isCandidate && body.status !== "removed" && body.status !== "refused";
  const challenge = challengeOf(body);
  show("enter", false);
  show("state", true);
  show("edit", isOpen);
  show("removal", !isCandidate);
  show("remove", isOpen);
  show("keep", true);
  show("prove", challenge !== undefined && (isOpen || isCandidate));
  showState(body);
  showBadges(body);
  showAlerts(body, body.status === "proved" || body.status === "lost", PAGE);
  offerData(body);
  if (challenge !== undefined) showChallenge(challenge);
  showSettings(byId("edit", HTMLFormElement), body);
  setText(byId("link"), location.href);
}

const hideRecord = (): void => {
  for (const part of PARTS) show(part, false);
};

/** Back to the form, with what went wrong. */
function showEntrance(text: string): void {
  hideRecord();
  show("enter", true);
  say(byId("enter"), text);
}

/** Asks an operation on the monitor. Undefined: the page has none, or has turned to another one meanwhile. */
async function askHeld(
  method: string,
  path = "",
  options: Parameters<typeof ask>[2] = {},
): Promise<ApiAnswer | undefined> {
  const asked = held;
  const answer =
    asked && (await ask(method, `/${asked.id}${path}`, { key: asked.key, ...options }));
  return asked === held ? answer : undefined;
}

async function load(): Promise<void> {
  if (held === undefined) return showEntrance("");
  const answer = await askHeld("GET");
  if (answer === undefined) return;
  if (answer.status === 200) return showRecord(answer);
  showEntrance(refusalOf(answer));
  byId("which", HTMLInputElement).value = held.id;
}

/** Shows another monitor, which the fragment then names. */
function openMonitor(monitor: Held): Promise<void> {
  history.replaceState(null, "", fragmentOf(monitor));
  held = monitor;
  return load();
}

/** Does something to the monitor, and shows it as it is then. */
async function act(scope: HTMLElement, method: string, path: string, done: string): Promise<void> {
  say(scope, words.sending);
  const answer = await askHeld(method, path);
  if (answer === undefined) return;
  say(scope, answer.status < 300 && answer.status > 0 ? done : refusalOf(answer));
  if (answer.status > 0) await load();
}

async function save(form: HTMLFormElement): Promise<void> {
  say(form, words.sending);
  const body = changesOf(readSettings(form), record);
  const answer = await askHeld("PATCH", "", { body, etag });
  if (answer === undefined) return;
  markFaults(form, answer.body);
  if (answer.status === 412) await load();
  if (answer.status !== 200) return say(form, refusalOf(answer));
  showRecord(answer);
  say(form, challengeOf(answer.body)?.for === "url" ? words.moving : words.saved);
}

/** The id in whatever an owner has at hand: a link, the address of a page or a badge, or the id itself. */
function idIn(text: string): string | undefined {
  return (
    /\/(?:api\/)?m\/([\w-]{1,64})/.exec(text)?.[1] ??
    /#([\w-]{1,64})\./.exec(text)?.[1] ??
    /^\s*([\w-]{1,64})\s*$/.exec(text)?.[1]
  );
}

async function askForKey(): Promise<void> {
  const enter = byId("enter");
  const id = idIn(byId("which", HTMLInputElement).value);
  if (id === undefined) return say(enter, words.notAnAddress);
  say(enter, words.sending);
  const answer = await ask("POST", `/${id}/token`);
  const { token: key } = answer.body;
  if (answer.status !== 201 || !key) return say(enter, refusalOf(answer));
  say(enter, "");
  await openMonitor({ id, key });
  byId("prove-title").focus();
}

function listenToRemoval(): void {
  const button = byId("remove");
  const before = button.textContent ?? "";
  let isSure = false;
  const calm = (): void => {
    isSure = false;
    setText(button, before);
  };
  button.addEventListener("blur", calm);
  button.addEventListener("click", () => {
    if (!isSure) {
      isSure = true;
      return setText(button, words.pressAgain);
    }
    calm();
    void act(byId("removal"), "DELETE", "", words.removed);
  });
}

/** Makes the page work. */
export function startManage(): void {
  held = heldIn(location.hash);
  listenToTabs();
  const forget = listenToLooks(
    () => held,
    () => void load(),
  );
  listenToRemoval();
  listenToAlerts(PAGE);
  byId("restore").addEventListener("click", () => void act(byId("state"), "POST", "/restore", ""));
  byId("again").addEventListener("click", () => void act(byId("state"), "POST", "/verify", ""));
  byId("lost").addEventListener("click", () => void askForKey());
  onSubmit("#edit", (form) => void save(form));
  onSubmit("#enter", () => {
    const typed = heldIn(byId("which", HTMLInputElement).value.trim());
    if (typed === undefined) return say(byId("enter"), words.notAnAddress);
    void openMonitor(typed);
  });
  addEventListener("hashchange", () => {
    held = heldIn(location.hash);
    // Its buttons would do to the new monitor what is read as said of the old one.
    hideRecord();
    forget();
    void load();
  });
  for (const part of all("#owner .answer")) setText(part, "");
  void load();
}
