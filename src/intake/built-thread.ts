/** The built file of a thread, even when the program runs from sources: tsx does not compile the entry of a thread. */
export function builtThread(name: string): URL {
  const path = import.meta.url.endsWith(".ts") ? `../../dist/program/${name}.js` : `${name}.js`;
  return new URL(path, import.meta.url);
}
