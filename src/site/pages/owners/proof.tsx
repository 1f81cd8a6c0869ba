import type { ProofMethod } from "../../../model/monitor/owned-monitor.ts";
import type { Html } from "../../html.ts";
import type { Language } from "../../words/language.ts";
import { OWNER_PAGE_WORDS } from "../../words/pages/owner-pages.ts";

/** What most owners can do without help comes first. */
const WAYS = ["meta", "file", "dns"] as const satisfies readonly ProofMethod[];

interface OwnerProps {
  readonly language: Language;
}

/** The three ways to prove control of a site, as tabs that the script fills, and the look for the proof. */
export function OwnerProof({ language }: OwnerProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <section class="card" id="prove" aria-labelledby="prove-title" hidden>
      <h2 id="prove-title" tabindex={-1}>
        {words.prove}
      </h2>
      <p class="hint">{words.proveHint}</p>
      <div class="tabs" role="tablist" aria-labelledby="prove-title">
        {WAYS.map((method, at) => (
          <button
            type="button"
            role="tab"
            id={`tab-${method}`}
            aria-controls={`way-${method}`}
            aria-selected={at === 0 ? "true" : "false"}
            tabindex={at === 0 ? 0 : -1}
            data-method={method}
          >
            {words.methods[method]}
          </button>
        ))}
      </div>
      {WAYS.map((method, at) => (
        <div
          role="tabpanel"
          id={`way-${method}`}
          aria-labelledby={`tab-${method}`}
          hidden={at !== 0}
        >
          <p>{words.steps[method][0]}</p>
          <Copied id={`${method}-what`} copy={words.copy} />
          <p>{words.steps[method][1]}</p>
          <Copied id={`${method}-where`} copy={words.copy} />
        </div>
      ))}
      <p class="hint" id="no-dns" hidden>
        {words.noDns}
      </p>
      <p class="send">
        <button type="button" id="check">
          {words.check}
        </button>
        <span id="looked" role="status"></span>
      </p>
      <ul id="findings"></ul>
    </section>
  );
}

interface CopiedProps {
  readonly id: string;
  readonly copy: string;
}

/** A text that the script fills in, with a button that copies it. */
export function Copied({ id, copy }: CopiedProps): Html {
  return (
    <div class="code">
      <pre tabindex={0}>
        <code id={id}></code>
      </pre>
      <button type="button" class="copy">
        {copy}
      </button>
    </div>
  );
}

/** The link with the key. */
export function OwnerLink({ language }: OwnerProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <section class="card" id="keep" aria-labelledby="keep-title" hidden>
      <h2 id="keep-title">{words.keep}</h2>
      <Copied id="link" copy={words.copy} />
      <p class="hint">{words.keepHint}</p>
    </section>
  );
}
