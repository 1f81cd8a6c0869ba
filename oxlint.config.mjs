import { layerRules } from "./test/layers/rules.mjs";

/** The linter's settings; which room may import what is generated from `test/layers/layers.json`. */
export default {
  plugins: ["typescript", "unicorn", "import", "promise", "node", "vitest"],
  categories: {
    correctness: "error",
    suspicious: "error",
    perf: "error",
  },
  rules: {
    "max-lines": [
      "error",
      {
        max: 250,
        skipBlankLines: true,
        skipComments: true,
      },
    ],
    "max-lines-per-function": [
      "error",
      {
        max: 50,
        skipBlankLines: true,
        skipComments: true,
      },
    ],
    "no-console": "error",
    eqeqeq: "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": [
      "error",
      {
        considerDefaultExhaustiveForUnions: true,
      },
    ],
    "typescript/consistent-return": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/no-misused-spread": "off",
    "vitest/valid-expect": [
      "error",
      {
        maxArgs: 2,
      },
    ],
    "import/no-named-as-default-member": "off",
    "unicorn/no-array-sort": "error",
    "typescript/consistent-type-imports": "error",
    "import/no-cycle": [
      "error",
      {
        ignoreTypes: false,
      },
    ],
    "no-await-in-loop": "off",
    "import/no-unassigned-import": "off",
    "no-shadow": "off",
  },
  ignorePatterns: ["dist", "node_modules", "public"],
  overrides: [
    {
      files: ["src/**"],
      rules: {
        "no-restricted-globals": ["error", "process"],
      },
    },
    ...layerRules(),
    {
      files: ["src/site/browser/**"],
      rules: {
        "no-restricted-globals": [
          "error",
          "process",
          "require",
          "Buffer",
          "global",
          "setImmediate",
        ],
        "unicorn/consistent-function-scoping": "off",
      },
    },
    {
      files: ["test/**", "bench/**"],
      rules: {
        "max-lines-per-function": "off",
        "unicorn/consistent-function-scoping": "off",
        "vitest/no-conditional-expect": "off",
        "vitest/expect-expect": "off",
        "vitest/require-to-throw-message": "off",
        "promise/no-callback-in-promise": "off",
        "typescript/no-meaningless-void-operator": "off",
        "no-console": "off",
        "max-lines": [
          "error",
          {
            max: 400,
            skipBlankLines: true,
            skipComments: true,
          },
        ],
      },
    },
    {
      files: ["test/**/*.test.ts"],
      rules: {
        "no-restricted-properties": [
          "error",
          {
            object: "performance",
            property: "now",
            message:
              "No test measures time, for machines differ: npm run bench does. See CONTRIBUTING.md, Tests.",
          },
          {
            object: "process",
            property: "cpuUsage",
            message:
              "No test measures time, for machines differ: npm run bench does. See CONTRIBUTING.md, Tests.",
          },
          {
            object: "process",
            property: "hrtime",
            message:
              "No test measures time, for machines differ: npm run bench does. See CONTRIBUTING.md, Tests.",
          },
        ],
      },
    },
    {
      files: ["src/cli.ts"],
      rules: {
        "no-restricted-globals": "off",
        "no-console": "off",
      },
    },
  ],
};
