/** All elements that a selector matches, in their order. */
export function all(selector: string, scope: ParentNode = document): HTMLElement[] {
  return [...scope.querySelectorAll<HTMLElement>(selector)];
}
