import type { Html } from "../../html.ts";
import type { Language } from "../../words/language.ts";
import { OWNER_PAGE_WORDS } from "../../words/pages/owner-pages.ts";
import type { OwnerField as Field } from "../../words/owner-problem.ts";

interface OwnerFieldProps {
  readonly name: Field;
  readonly language: Language;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
}

interface Form {
  readonly inputmode: "text" | "url" | "numeric";
  readonly placeholder?: string;
}

/** In the order of the form. */
const FORMS: Readonly<Record<Field, Form>> = {
  url: { inputmode: "url" },
  name: { inputmode: "text" },
  label: { inputmode: "text" },
  expect: { inputmode: "text", placeholder: "200, 301" },
  timeoutMs: { inputmode: "numeric", placeholder: "20000" },
  body: { inputmode: "text" },
};

/** All fields that a monitor of an owner has. */
export function OwnerFields({ language }: Pick<OwnerFieldProps, "language">): Html {
  // The keys of a literal are those of its type.
  const names = Object.keys(FORMS) as Field[];
  return (
    <>
      {names.map((name) => (
        <OwnerField name={name} language={language} isRequired={name === "url"} />
      ))}
    </>
  );
}

/** A field of the forms for owners, with a place for what is wrong with it. */
export function OwnerField({ name, language, isRequired, placeholder }: OwnerFieldProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  const form = FORMS[name];
  return (
    <p class="field">
      <label for={`field-${name}`}>
        {words.fields[name]}
        {isRequired !== true && <span class="hint"> · {words.optional}</span>}
      </label>
      <input
        id={`field-${name}`}
        name={name}
        type="text"
        inputmode={form.inputmode}
        autocomplete={name === "url" ? "url" : "off"}
        autocapitalize="none"
        spellcheck={false}
        placeholder={placeholder ?? form.placeholder}
        aria-describedby={`fault-${name}`}
      />
      <span class="fault" id={`fault-${name}`}></span>
    </p>
  );
}

/** The switch of the public page. */
export function PublicField({ language }: Pick<OwnerFieldProps, "language">): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <p class="field">
      <label class="check">
        <input type="checkbox" name="public" aria-describedby="public-hint" />
        {words.isPublic}
      </label>
      <span class="hint" id="public-hint">
        {words.isPublicHint}
      </span>
    </p>
  );
}
