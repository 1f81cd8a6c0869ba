import type { ObjectStore } from "../src/model/store.ts";

/** A process that dies at one of its steps. */
export interface Mortal {
  /** Does something, unless the process is dead: then it never ends. */
  readonly step: <T>(act: () => Promise<T>) => Promise<T>;
  readonly death: Promise<"died">;
}

/**
 * A process with so many steps to live, the last included.
 *
 * @param takesEffect whether the last step still takes effect, although its answer never comes.
 */
export function createMortal(lives: number, takesEffect: () => boolean): Mortal {
  let left = lives;
  let die: (() => void) | undefined;
  const death = new Promise<"died">((resolve) => {
    die = () => resolve("died");
  });
  return {
    step: async (act) => {
      left -= 1;
      if (left > 0) return act();
      if (left === 0 && takesEffect()) await act();
      die?.();
      return new Promise<never>(() => undefined);
    },
    death,
  };
}

/** A store whose writes are steps of a process. */
export function writeInSteps(store: ObjectStore, { step }: Mortal): ObjectStore {
  return { ...store, write: (...write) => step(() => store.write(...write)) };
}

/** A store for a process that is killed at one of its requests: before it takes effect, or before its answer. */
export function createDyingStore(
  store: ObjectStore,
  lives: number,
  takesEffect: boolean,
): ObjectStore {
  const mortal = createMortal(lives, () => takesEffect);
  return {
    ...writeInSteps(store, mortal),
    read: (key) => mortal.step(() => store.read(key)),
    remove: (key) => mortal.step(() => store.remove(key)),
    list: (folder) => mortal.step(() => store.list(folder)),
  };
}
