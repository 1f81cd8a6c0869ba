import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseCatalogue,
  type ParseResult,
} from "../../../src/services/catalogue/parse-catalogue.ts";
import type { Catalogue } from "../../../src/model/service/catalogue.ts";
import { atDepth, isFull } from "../../depth.ts";
import { BASE, linesOf } from "./overlay-base.ts";

const SHIPPED = readFileSync(new URL("../../../catalogue.yaml", import.meta.url), "utf8");

type Ok = Extract<ParseResult, { readonly kind: "ok" }>;

function parseOk(overlay: string, base = BASE): Ok {
  const result = parseCatalogue(base, overlay);
  if (result.kind === "invalid") throw new Error(linesOf(result).join("\n"));
  return result;
}

const PLAIN = parseOk("").catalogue;

function slugsOf({ services }: Catalogue): readonly string[] {
  return services.map(({ slug }) => slug);
}

function serviceOf({ services }: Catalogue, slug: string) {
  return services.find((one) => one.slug === slug);
}

const FOUR = `
  - slug: four
    name: Четыре
    category: banks
    endpoints: [{ url: "https://four.example/", what: main site }]
`;

describe.skipIf(isFull)("an overlay", () => {
  test.each([
    "",
    "# nothing yet\n",
    "{}",
    "null",
    "services: []",
    "categories: []\nservices: []\n",
  ])("without entries (%j) changes nothing", (overlay) => {
    expect(parseCatalogue(BASE, overlay)).toEqual({
      kind: "ok",
      catalogue: PLAIN,
      changes: [],
      warnings: [],
    });
  });

  test("removes a service", () => {
    const { catalogue, changes } = parseOk("services:\n  - { slug: two, remove: true }\n");
    expect(slugsOf(catalogue)).toEqual(["one", "three"]);
    expect(changes).toEqual([{ kind: "removed", of: "service", id: "two", keys: [] }]);
  });

  test("adds a new service at the end of the list", () => {
    const { catalogue, changes } = parseOk(`services:${FOUR}`);
    expect(slugsOf(catalogue)).toEqual(["one", "two", "three", "four"]);
    expect(serviceOf(catalogue, "four")).toEqual({
      slug: "four",
      name: "Четыре",
      aliases: [],
      category: "banks",
      isAbroad: false,
      annotations: [],
      endpoints: [
        {
          url: "https://four.example/",
          what: "main site",
          isCritical: true,
          sites: ["four.example"],
          trust: "public",
        },
      ],
    });
    expect(changes).toEqual([{ kind: "added", of: "service", id: "four", keys: [] }]);
  });

  test("replaces only the keys that it names, and keeps the place in the list", () => {
    const { catalogue, changes } = parseOk("services:\n  - { slug: one, name: Единица }\n");
    expect(slugsOf(catalogue)).toEqual(["one", "two", "three"]);
    expect(serviceOf(catalogue, "one")).toEqual({
      ...serviceOf(PLAIN, "one"),
      name: "Единица",
    });
    expect(changes).toEqual([{ kind: "changed", of: "service", id: "one", keys: ["name"] }]);
  });

  test("replaces endpoints and annotations as whole lists", () => {
    const { catalogue, changes } = parseOk(
      `services: [{ slug: one, endpoints: [{ url: "https://api.one.example/", what: API, expect: [204] }], annotations: [] }]`,
    );
    expect(serviceOf(catalogue, "one")).toMatchObject({
      annotations: [],
      endpoints: [
        { url: "https://api.one.example/", what: "API", expect: [204], isCritical: true },
      ],
    });
    expect(serviceOf(catalogue, "one")?.endpoints).toHaveLength(1);
    expect(changes).toMatchObject([{ kind: "changed", keys: ["endpoints", "annotations"] }]);
  });

  test("adds a key that the service did not have", () => {
    const { catalogue } = parseOk("services: [{ slug: two, abroad: true }]");
    expect(serviceOf(catalogue, "two")).toEqual({ ...serviceOf(PLAIN, "two"), isAbroad: true });
  });

  test("changes and adds categories by their id", () => {
    const { catalogue, changes } = parseOk(
      `categories: [{ id: banks, name: Все банки }, { id: ours, name: Наши }]\nservices: [{ slug: two, category: ours }]`,
    );
    expect(catalogue.categories).toEqual([
      { id: "banks", name: "Все банки" },
      { id: "ours", name: "Наши" },
    ]);
    expect(serviceOf(catalogue, "two")?.category).toBe("ours");
    expect(changes).toEqual([
      { kind: "changed", of: "category", id: "banks", keys: ["name"] },
      { kind: "added", of: "category", id: "ours", keys: [] },
      { kind: "changed", of: "service", id: "two", keys: ["category"] },
    ]);
  });

  test("replaces the anchors as one list", () => {
    const anchors = ["d1", "d2", "d3", "d4", "f1", "f2", "f3"].map((name) => {
      const scope = name.startsWith("d") ? "domestic" : "foreign";
      return { url: `https://${name}.example/`, scope, network: `net ${name}` };
    });
    const { catalogue, changes } = parseOk(JSON.stringify({ anchors }));
    expect(catalogue).toEqual({ ...PLAIN, anchors });
    expect(changes).toEqual([{ kind: "changed", of: "anchors", id: "", keys: [] }]);
  });

  test("may move a name and a URL from a removed service to another one", () => {
    const { catalogue } = parseOk(
      `services: [{ slug: two, remove: true }, { slug: three, name: Два, endpoints: [{ url: "https://two.example/", what: main site }] }]`,
    );
    expect(slugsOf(catalogue)).toEqual(["one", "three"]);
    expect(serviceOf(catalogue, "three")?.name).toBe("Два");
  });

  test("without a difference from the catalogue is reported as needless", () => {
    const { catalogue, changes } = parseOk("services: [{ slug: two, name: Два }]");
    expect(catalogue).toEqual(PLAIN);
    expect(changes).toEqual([{ kind: "same", of: "service", id: "two", keys: [] }]);
  });
});

test.skipIf(isFull)("the shipped catalogue as its own overlay changes nothing", () => {
  const { catalogue, changes, warnings } = parseOk(SHIPPED, SHIPPED);
  expect(catalogue).toEqual(parseOk("", SHIPPED).catalogue);
  expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(["same"]));
  expect(changes).toHaveLength(catalogue.services.length + catalogue.categories.length + 1);
  expect(warnings).toEqual([]);
});

test.skipIf(isFull)("the documented example is a valid overlay of the shipped catalogue", () => {
  const text = readFileSync(
    new URL("../../../docs/services/catalogue.md", import.meta.url),
    "utf8",
  );
  const [, example = ""] = /\n## An overlay\n[^]*?```yaml\n([^]*?)```/u.exec(text) ?? [];
  const { changes, warnings } = parseOk(example, SHIPPED);
  expect(warnings).toEqual([]);
  expect(changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    "added ours",
    "removed vk",
    "changed discord",
    "changed wildberries",
    "added our-shop",
  ]);
});

describe.skipIf(isFull)("an entry of an unknown service or category", () => {
  test.each([
    [
      "services:\n  - slug: gone\n    remove: true\n",
      "overlay:2:11 services[0].slug: the catalogue has no service with this slug, so there is nothing to remove; take the entry out.",
    ],
    [
      "services:\n  - { slug: two, name: Двойка }\n  - { slug: gone, name: Был }\n",
      "overlay:3:13 services[1].slug: the catalogue has no service with this slug, so the entry changes nothing; take it out, correct the slug, or add what a new service needs: category, endpoints.",
    ],
    [
      "categories: [{ id: gone }]",
      "overlay:1:20 categories[0].id: the catalogue has no category with this id, so the entry changes nothing; take it out, correct the id, or add what a new category needs: name.",
    ],
  ])("is ignored with a warning: %j", (overlay, expected) => {
    const result = parseOk(overlay);
    expect(linesOf(result)).toEqual([expected]);
    expect(slugsOf(result.catalogue)).toEqual(["one", "two", "three"]);
    expect(result.catalogue.categories).toEqual(PLAIN.categories);
    expect(result.changes.map(({ id }) => id)).not.toContain("gone");
  });
});

test("removing services in any order leaves exactly the others", () => {
  const all = parseOk("", SHIPPED).catalogue;
  fc.assert(
    fc.property(fc.shuffledSubarray([...slugsOf(all)], { maxLength: 80 }), (removed) => {
      const services = removed.map((slug) => ({ slug, remove: true }));
      const { catalogue, changes } = parseOk(JSON.stringify({ services }), SHIPPED);
      expect(catalogue).toEqual({
        ...all,
        services: all.services.filter(({ slug }) => !removed.includes(slug)),
      });
      expect(changes.map(({ id }) => id)).toEqual(removed);
    }),
    { numRuns: atDepth(5, 50) },
  );
});

test("changes of different services do not depend on the order of the entries", () => {
  const entries = [
    { slug: "one", name: "А" },
    { slug: "two", remove: true },
    { slug: "three", abroad: true },
    { slug: "gone", name: "Нет" },
  ];
  const expected = parseOk(JSON.stringify({ services: entries })).catalogue;
  fc.assert(
    fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (services) => {
      expect(parseOk(JSON.stringify({ services })).catalogue).toEqual(expected);
    }),
    { numRuns: atDepth(10, 24) },
  );
});

test("a mutated overlay is accepted, or has problems with positions inside it", () => {
  const overlay = `categories: [{ id: ours, name: Наши }]\nservices:\n  - { slug: two, remove: true }\n  - { slug: one, name: Единица }${FOUR}`;
  const edit = fc.record({
    at: fc.nat(overlay.length),
    removed: fc.nat(30),
    inserted: fc.constantFrom(
      "\n",
      "  ",
      "- ",
      ": ",
      "{",
      "}",
      "[",
      "]",
      "*a",
      "&a ",
      "null",
      "\0",
    ),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const text = edits.reduce(
        (before, { at, removed, inserted }) =>
          before.slice(0, at) + inserted + before.slice(at + removed),
        overlay,
      );
      const result = parseCatalogue(BASE, text);
      const lines = text.split("\n");
      for (const problem of result.kind === "ok" ? result.warnings : result.problems) {
        expect(problem).toMatchObject({ file: "overlay", message: expect.stringMatching(/\.$/u) });
        expect(problem.column).toBeGreaterThanOrEqual(1);
        expect(problem.column).toBeLessThanOrEqual((lines[problem.line - 1]?.length ?? -1) + 1);
      }
    }),
    { numRuns: atDepth(100, 500) },
  );
});
