import { CHECK_CLASSES, type CheckClass } from "../../../src/model/service/history.ts";
import type { Signals } from "../../../src/services/verdict/signals.ts";

const FLAGS = [false, true] as const;
const ACCESS = ["none", "restricted", "slowed_ru", "partial_ru"] as const;

/** Every combination of signals with a known check class: 768 of them. */
export function everyCombination(): readonly Signals[] {
  return CHECK_CLASSES.flatMap((checkClass) =>
    FLAGS.flatMap((isFresh) => withClass(checkClass, isFresh)),
  );
}

/** Every combination for a service that was never checked. */
export function everyUnchecked(): readonly Signals[] {
  return everyCommon().map((common): Signals => {
    return { ...common, isFresh: false, checkClass: "unknown" };
  });
}

function withClass(checkClass: CheckClass, isFresh: boolean): readonly Signals[] {
  return everyCommon().map((common): Signals => ({ ...common, isFresh, checkClass }));
}

function everyCommon() {
  return ACCESS.flatMap((access) =>
    FLAGS.flatMap((hasProvider) =>
      FLAGS.flatMap((isBlocked) =>
        FLAGS.flatMap((isSurging) =>
          FLAGS.map((isOld) => ({ access, hasProvider, isBlocked, isSurging, isOld })),
        ),
      ),
    ),
  );
}

/** A fresh, healthy, unlimited service without reports, with changes. */
export function signals(changes: Partial<Signals> = {}): Signals {
  return {
    isFresh: true,
    checkClass: "up",
    access: "none",
    hasProvider: false,
    isBlocked: false,
    isSurging: false,
    isOld: false,
    ...changes,
  } as Signals; // tests use valid combinations only
}
