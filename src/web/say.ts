/** Shows a text. The same again is not written, or screen readers would read it out again. */
export function say(element: Element | null | undefined, text = ""): void {
  if (element && element.textContent !== text) element.textContent = text;
}
