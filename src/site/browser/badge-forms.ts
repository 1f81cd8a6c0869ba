import { all } from "./elements.ts";

/* Switches the badge of a monitor, and the snippets that embed it, to another of its forms. */

const FILE = /\bbadge(?:-\w+)?\.(?:svg|png)/g;

/** Makes the choice of forms of a page work. */
export function listenToBadgeForms(): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(".forms input")) return;
    const { value } = target;
    for (const image of all<HTMLImageElement>(".badge img"))
      image.src = image.src.replace(FILE, value);
    for (const field of all<HTMLTextAreaElement>(".snippet textarea"))
      field.value = field.value.replace(FILE, value);
  });
}
