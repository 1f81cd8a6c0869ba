/**
 * Folder of the installed program, with `data`. Modules that read shipped files begin here, because the built program has all of its
 * modules two folders below it, as this one is, however deep their sources are.
 */
export const PROGRAM_FOLDER: URL = new URL("../../", import.meta.url);

/** The built file of a thread, even when the program runs from sources: tsx does not translate the entry of a thread. */
export function builtThread(name: string): URL {
  return new URL(`dist/program/${name}.js`, PROGRAM_FOLDER);
}
