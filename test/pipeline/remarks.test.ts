import fc from "fast-check";
import { expect, test } from "vitest";
import { ANNOTATION_KINDS, type AnnotationKind } from "../../src/model/service/catalogue.ts";
import { CHECK_CLASSES, EMPTY_HISTORY } from "../../src/model/service/history.ts";
import { DAY_MS, HOUR_MS } from "../../src/model/time.ts";
import { decideServices } from "../../src/pipeline/publish/decide-services.ts";
import { catalogueOf, serviceHistoryOf, serviceOf, T0 } from "../model/samples.ts";

const REMARKS: readonly AnnotationKind[] = ["remark", "calls"];

const anyKinds = fc.subarray(ANNOTATION_KINDS.filter((kind) => !REMARKS.includes(kind)));
const anyHistory = fc
  .record({
    checkClass: fc.constantFrom(...CHECK_CLASSES),
    isBlocked: fc.boolean(),
    sinceMs: fc.constantFrom(T0, T0 - 2 * DAY_MS),
    checkedAtMs: fc.constantFrom(T0, T0 - HOUR_MS),
  })
  .map(serviceHistoryOf);
const anyReports = fc.record({ hour: fc.nat(99), day: fc.nat(999), isSurging: fc.boolean() });

test("no remark changes a byte of the API, whatever is known of a service", () => {
  fc.assert(
    fc.property(
      anyKinds,
      fc.shuffledSubarray([...REMARKS], { minLength: 1 }),
      anyHistory,
      anyReports,
      (kinds, remarks, history, reports) => {
        const publish = (annotated: readonly AnnotationKind[]) =>
          decideServices(
            catalogueOf([serviceOf("a", [], annotated)]),
            { ...EMPTY_HISTORY, services: new Map([["a", history]]) },
            new Map([["a", reports]]),
            T0,
            T0,
          );
        expect(publish([...remarks, ...kinds])).toEqual(publish(kinds));
        expect(publish([...kinds, ...remarks])).toEqual(publish(kinds));
      },
    ),
  );
});
