import {
  ask,
  byId,
  data,
  fragmentOf,
  givenOf,
  type Held,
  heldIn,
  markFaults,
  refusalOf,
  readSettings,
  say,
  words,
} from "./owner-context.ts";
import { challengeOf, listenToLooks, listenToTabs, showChallenge } from "./owner-proof.ts";
import { onSubmit, setText } from "./elements.ts";

/* The page on which an owner adds a site. An unfinished registration stays in the fragment, so that a reload loses nothing. */

/** Makes the page work. */
export function startNew(): void {
  const form = byId("add", HTMLFormElement);
  let held = heldIn(location.hash);
  const finish = (): void => {
    byId("prove").hidden = true;
    byId("done").hidden = false;
    byId("done-title").focus();
  };
  listenToTabs();
  listenToLooks(() => held, finish);
  const proceed = (now: Held): void => {
    held = now;
    form.hidden = true;
    const link = new URL(data["manage"] ?? "", location.href).href + fragmentOf(now);
    setText(byId("link"), link);
    byId("to-manage", HTMLAnchorElement).href = link;
    byId("keep").hidden = false;
  };
  onSubmit("#add", () => {
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    say(form, words.sending);
    void register(form).then((registered) => {
      form.ariaBusy = null;
      if (registered === undefined) return undefined;
      history.replaceState(null, "", fragmentOf(registered));
      proceed(registered);
      return byId("prove-title").focus();
    });
  });
  if (held === undefined) return;
  proceed(held);
  void resume(held).then((status) => {
    if (status === "open") return undefined;
    if (status === "proved") return finish();
    // The link is of no use any more.
    form.hidden = false;
    byId("keep").hidden = true;
    return say(form, status);
  });
}

/** Adds the site of the form; undefined if it was refused, which is said. */
async function register(form: HTMLFormElement): Promise<Held | undefined> {
  const answer = await ask("POST", "", { body: givenOf(readSettings(form)) });
  const { id, token: key, challenge } = answer.body;
  if (answer.status === 201 && id && key && challenge) {
    showChallenge(challenge);
    return { id, key };
  }
  say(form, refusalOf(answer));
  markFaults(form, answer.body);
  return undefined;
}

/** Shows the challenge of a registration that a reload has interrupted; or says why there is none. */
async function resume({ id, key }: Held): Promise<string> {
  const answer = await ask("GET", `/${id}`, { key });
  const challenge = challengeOf(answer.body);
  if (challenge !== undefined) {
    showChallenge(challenge);
    return "open";
  }
  if (answer.body.status === "proved") return "proved";
  return answer.status === 200 ? words.explanations.expired : refusalOf(answer);
}
