/** What a recipe of docs/architecture.md, "How to add", adds, as an edit of text in its first file or folder. */
export interface Addition {
  /** Stands in every message of the compiler about it. */
  readonly marker: string;
  /** What the new text is put before, in the first file of the folder that has it. */
  readonly before: RegExp;
  readonly text: string;
}

/** By the name of the recipe. */
export const ADDITIONS: Readonly<Record<string, Addition>> = {
  "A verdict code": {
    marker: "recipe_code",
    before: /^ {2}none: \{/mu,
    text: "  recipe_code: { ...FAILING, severity: 95, hasStart: true },\n",
  },
  "An outcome of a probe": {
    marker: "recipe-outcome",
    before: /^ {2}"body-unexpected": \{/mu,
    text: '  "recipe-outcome": { stage: "body", cause: "other" },\n',
  },
  "A field of a public document": {
    marker: "recipeField",
    before: /^ +surge: /mu,
    text: "recipeField: z.string(),\n",
  },
  "A key of a monitor": {
    marker: "recipeKey",
    before: /^ +isPublic: z\./mu,
    text: "recipeKey: z.exactOptional(z.boolean()),\n",
  },
  "An option": {
    marker: "recipe-option",
    before: /^ {4}pauseMs: formerly\(/mu,
    text: '    recipe: option("--recipe-option <n>", read.AT_ONCE, "what a recipe adds", "7"),\n',
  },
  "An event of the log": {
    marker: "recipe-event",
    before: /^ {2}"removals-withheld": /mu,
    text: '  "recipe-event": info("what a recipe adds", {}),\n',
  },
  "A channel": {
    marker: "recipeKind",
    before: /exec: EXEC\b/u,
    // Other settings than those of every other kind.
    text: "recipeKind: { ...EXEC, settings: { recipe: EXEC.settings.command } } as unknown as ChannelKind<{ readonly recipe: string }>, ",
  },
};
