/** All elements that a selector matches, in their order. */
export function all<Kind extends HTMLElement = HTMLElement>(
  selector: string,
  scope: ParentNode = document,
): Kind[] {
  return [...scope.querySelectorAll<Kind>(selector)];
}
