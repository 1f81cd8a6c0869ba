/** All elements that a selector matches, in their order. */
export function all<Kind extends HTMLElement = HTMLElement>(
  selector: string,
  scope: ParentNode = document,
): Kind[] {
  return [...scope.querySelectorAll<Kind>(selector)];
}

/** A new element with these properties and children. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Sets the text. An equal text is not written, or screen readers would announce it again. */
export function setText(element: Element | null | undefined, text = ""): void {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Calls `work` in place of sending a form that matches, also one that is drawn later. */
export function onSubmit(selector: string, work: (form: HTMLFormElement) => void): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(selector)) return;
    event.preventDefault();
    work(form);
  });
}
