import { all } from "./elements.ts";
import { fetchFresh } from "./polling.ts";

/** The visitor's operator; "unknown" if the front cannot tell it. One request a page. */
let told: Promise<string> | undefined;

/** Puts the line of the visitor's own operator first. Source: docs/publish/fronts.md, "The operator of a reader". */
export async function showOwnOperator(table: HTMLElement, root: string): Promise<void> {
  told ??= fetchFresh(`${root}/operator.txt`).then(
    (response) => response.text(),
    () => "unknown",
  );
  const operator = await told;
  const row = all("[data-operator]", table).find(({ dataset }) => dataset["operator"] === operator);
  if (!row || row.matches(".own")) return;
  const mark = document.createElement("small");
  mark.textContent = table.dataset["own"] ?? "";
  row.querySelector("th")?.append(" ", mark);
  row.classList.add("own");
  row.hidden = false;
  row.parentElement?.prepend(row);
}
