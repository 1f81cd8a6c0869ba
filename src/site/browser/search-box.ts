import type { ScriptWords } from "../words/pages/script.ts";
import { all, setText } from "./elements.ts";
import { searchServices } from "./search.ts";

/* The field of the search, its hits, and the address that names them. The style sheet filters by state and category. */

const FILTERS = ["state", "category"];

const isShown = (element: HTMLElement): boolean => element.getClientRects().length > 0;

/** Writes search and filters into the address, so that they can be shared. */
function remember(text: string): void {
  const parameters = new URLSearchParams(text === "" ? {} : { q: text });
  for (const name of FILTERS) {
    const chip = document.querySelector<HTMLInputElement>(`[name=${name}]:checked`);
    if (chip && !chip.defaultChecked) parameters.set(name, chip.value);
  }
  const query = String(parameters);
  if (query === location.search.slice(1)) return;
  try {
    history.replaceState(null, "", `${location.pathname}${query && `?${query}`}${location.hash}`);
  } catch {
    // Safari allows 100 changes in 30 seconds.
  }
}

function recall(search: HTMLInputElement): void {
  const parameters = new URLSearchParams(location.search);
  search.value = parameters.get("q") ?? "";
  for (const name of FILTERS)
    for (const chip of all<HTMLInputElement>(`input[name=${name}]`))
      if (chip.value === parameters.get(name)) chip.checked = true;
}

function showHits(text: string, strangers: string | undefined, words: Partial<ScriptWords>): void {
  const rows = all(".groups .row");
  const isSearching = text !== "";
  const { found, near } = searchServices(
    rows.map((item) => ({ item, names: item.dataset["search"] ?? "" })),
    text,
    strangers,
  );
  document.body.classList.toggle("searching", isSearching);
  const [hits] = all("#hits");
  const [hint] = all("#hits .hint");
  if (!hits || !hint) return;
  hits.hidden = !isSearching;
  hint.hidden = found.length > 0;
  const [ask] = all("#ask");
  if (ask) ask.hidden = found.length + near.length > 0;
  setText(hint, near.length > 0 ? words.near : words.unknown);
  const focused = hits.contains(document.activeElement)
    ? document.activeElement?.getAttribute("href")
    : undefined;
  const shown = isSearching ? [...found, ...near] : [];
  all("ul", hits)[0]?.replaceChildren(...shown.map((row) => row.cloneNode(true)));
  all("a", hits)
    .find((link) => link.getAttribute("href") === focused)
    ?.focus({ preventScroll: true });
  const count = isSearching
    ? found.length
    : new Set(
        all("main .row")
          .filter(isShown)
          .map(({ dataset }) => dataset["slug"]),
      ).size;
  const counted = count > 0 ? words.found?.replace("{count}", String(count)) : words.nothing;
  setText(all("#found")[0], count < rows.length ? counted : "");
}

/**
 * Makes search and filters of a page work, if it has them.
 * @returns shows the hits again, for a list that has changed.
 */
export function listenToSearch(words: Partial<ScriptWords>): () => void {
  const search = document.querySelector<HTMLInputElement>("#search");
  if (!search) return () => undefined;
  const filter = (): void => {
    const text = search.value.trim();
    showHits(text, search.dataset["others"], words);
    remember(text);
  };
  const clear = (): void => {
    search.value = "";
    filter();
  };
  recall(search);
  document.addEventListener("change", ({ target }) => {
    // That of the search comes when its hits get the focus, which a new list would lose.
    if (target !== search) filter();
  });
  search.addEventListener("input", filter);
  search.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") clear();
    if (key === "Enter") all("#hits a")[0]?.click();
  });
  all("#all")[0]?.addEventListener("click", clear);
  return filter;
}
