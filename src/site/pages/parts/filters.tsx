import type { Category } from "../../../model/service/catalogue.ts";
import type { Html } from "../../html.ts";
import type { Language } from "../../words/language.ts";
import { nameCategory } from "../../words/category.ts";
import { NOT_COVERED } from "../../not-covered.ts";
import type { SiteAddress } from "../../view.ts";
import { INDEX_WORDS, type StateFilter } from "../../words/pages/index-page.ts";

interface FiltersProps {
  readonly address: SiteAddress;
  readonly categories: readonly Category[];
  readonly language: Language;
}

/** The style sheet has rules for this many. */
export const MAX_CATEGORIES = 16;

const STATES: readonly StateFilter[] = ["all", "problems", "ok", "none"];

/** Search and filters. The style sheet does the filtering; only the search needs a script, which shows it. */
export function Filters({ address, categories, language }: FiltersProps): Html {
  const words = INDEX_WORDS[language];
  return (
    <section class="filters" aria-label={words.filters}>
      <search hidden aria-label={words.searchLabel}>
        <input
          type="search"
          id="search"
          aria-label={words.searchLabel}
          placeholder={words.searchHint}
          data-others={NOT_COVERED}
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="search"
        />
        <p id="found" role="status"></p>
      </search>
      <fieldset class="chips states">
        <legend>{words.byState}</legend>
        {STATES.map((state) => (
          <Chip name="state" id={`state-${state}`} value={state} isChecked={state === "all"}>
            {words.states[state]}
          </Chip>
        ))}
      </fieldset>
      <fieldset class="chips categories">
        <legend>{words.byCategory}</legend>
        <Chip name="category" id="category-all" value="" isChecked>
          {words.allCategories}
        </Chip>
        {categories.slice(0, MAX_CATEGORIES).map((category, place) => (
          <Chip name="category" id={`category-${place}`} value={category.id} isChecked={false}>
            {nameCategory(category, language)}
          </Chip>
        ))}
      </fieldset>
      <Hits address={address} language={language} />
    </section>
  );
}

/** What the search has found, in place of the list. */
function Hits({ address, language }: Omit<FiltersProps, "categories">): Html {
  const words = INDEX_WORDS[language];
  const { contact } = address.people;
  return (
    <div id="hits" hidden>
      <p class="hint" hidden></p>
      {contact === undefined ? (
        <></>
      ) : (
        <p id="ask" hidden>
          <a href={contact}>{words.ask}</a>
        </p>
      )}
      <ul class="rows"></ul>
      <p>
        <button type="button" id="all" class="plain">
          {words.showAll}
        </button>
      </p>
    </div>
  );
}

interface ChipProps {
  readonly name: string;
  readonly id: string;
  readonly value: string;
  readonly isChecked: boolean;
  readonly children: string;
}

/** A radio button. */
export function Chip({ name, id, value, isChecked, children }: ChipProps): Html {
  return (
    <label class="chip">
      <input
        type="radio"
        name={name}
        id={id}
        value={value}
        checked={isChecked}
        autocomplete="off"
      />
      <span>{children}</span>
    </label>
  );
}
