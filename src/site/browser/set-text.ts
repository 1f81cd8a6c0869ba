/** Sets the text. An equal text is not written, or screen readers would announce it again. */
export function setText(element: Element | null | undefined, text = ""): void {
  if (element && element.textContent !== text) element.textContent = text;
}
