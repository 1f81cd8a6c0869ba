import { ownerScriptWords } from "../../words/pages/owner-script.ts";
import type { Children, LanguageProps, PageProps } from "../parts/elements.tsx";
import type { FrameProps } from "../parts/head.tsx";
import { Layout } from "../parts/layout.tsx";
import { pathOf } from "../parts/links.ts";
import { type Html, renderPage } from "../../html.ts";
import { OWNER_PAGE_WORDS } from "../../words/pages/owner-pages.ts";
import { FIELD_LABELS, OWNER_FIELDS, type OwnerField } from "../../words/owner-fields.ts";
import type { ProofMethod } from "../../../model/monitor/owner-channel.ts";

interface OwnerFieldProps extends LanguageProps {
  readonly name: OwnerField;
  readonly placeholder?: string;
}

/** A field of the forms for owners, with a place for what is wrong with it. The address alone is required. */
export function FieldOfOwner({ name, language, ...own }: OwnerFieldProps): Html {
  const { kind, inputmode, placeholder } = { ...OWNER_FIELDS[name], ...own };
  return (
    <p class="field">
      <label for={`field-${name}`}>
        {FIELD_LABELS[language][name]}
        {name !== "url" && <span class="hint"> · {OWNER_PAGE_WORDS[language].optional}</span>}
      </label>
      <input
        id={`field-${name}`}
        name={name}
        data-kind={kind}
        type="text"
        inputmode={inputmode}
        autocomplete={name === "url" ? "url" : "off"}
        autocapitalize="none"
        spellcheck={false}
        placeholder={placeholder}
        aria-describedby={`fault-${name}`}
      />
      <span class="fault" id={`fault-${name}`}></span>
    </p>
  );
}

/** The switch of the public page. */
export function PublicField({ language }: LanguageProps): Html {
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

/** What most owners can do without help comes first. */
const WAYS = ["meta", "file", "dns"] as const satisfies readonly ProofMethod[];

interface OwnerCardProps {
  readonly id: string;
  readonly title?: string;
  /** The script moves the focus to its heading. */
  readonly isFocused?: boolean;
  readonly children: Children;
}

/** A section that the script shows when it is its turn. */
export function OwnerCard({ id, title, isFocused, children }: OwnerCardProps): Html {
  return (
    <section class="card" id={id} aria-labelledby={`${id}-title`} hidden>
      <h2 id={`${id}-title`} tabindex={isFocused === true ? -1 : undefined}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Where the script says what became of a request. */
export function RequestOutcome(): Html {
  return <span class="answer" role="status"></span>;
}

/** The three ways to prove control of a site, as tabs that the script fills, and the look for the proof. */
export function OwnerProof({ language }: LanguageProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <OwnerCard id="prove" title={words.prove} isFocused>
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
          <Copied id={`${method}-what`} language={language} />
          <p>{words.steps[method][1]}</p>
          <Copied id={`${method}-where`} language={language} />
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
    </OwnerCard>
  );
}

/** A text that the script fills in, with a button that copies it. */
export function Copied({ id, language }: LanguageProps & { readonly id: string }): Html {
  return (
    <div class="code">
      <pre tabindex={0}>
        <code id={id}></code>
      </pre>
      <button type="button" class="copy">
        {OWNER_PAGE_WORDS[language].copy}
      </button>
    </div>
  );
}

/** The link with the key. */
export function OwnerLink({ language }: LanguageProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  return (
    <OwnerCard id="keep" title={words.keep}>
      <Copied id="link" language={language} />
      <p class="hint">{words.keepHint}</p>
    </OwnerCard>
  );
}

/** Every step for a command line, for browsers without a script and for programs. */
function OwnerCurl({ address, language }: PageProps): Html {
  const words = OWNER_PAGE_WORDS[language];
  const api = address.reportUrl || address.origin + address.root;
  const held = `-H "Authorization: Bearer $KEY" ${api}/monitors/$ID`;
  const lines = [
    `curl --json '{"url":"https://shop.example.ru/","public":true}' ${api}/monitors`,
    "ID=…; KEY=…",
    `curl -X POST ${held.replace("$ID", "$ID/verify")}`,
    `curl ${held}`,
    `curl -X PATCH --json '{"public":false}' ${held}`,
    `curl --json '{"webhook":"https://hooks.example.ru/status"}' ${held.replace("$ID", "$ID/channels")}`,
    `curl -X DELETE ${held}`,
    `curl -X POST ${held.replace("$ID", "$ID/restore")}`,
    `curl -X POST ${api}/monitors/$ID/token`,
  ];
  return (
    <details class="card" id="curl" open>
      <summary>{words.withoutScript}</summary>
      <p class="hint">{words.withoutScriptHint}</p>
      <pre tabindex={0}>
        <code>{lines.join("\n")}</code>
      </pre>
    </details>
  );
}

interface OwnerPageProps extends FrameProps {
  readonly path: string;
  readonly title: string;
  /** Which of them, for the script. */
  readonly page: "new" | "manage";
  /** What only one of them tells its script. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  readonly children: readonly Html[];
}

/** The frame of the pages for owners. */
export function renderOwnerPage(props: OwnerPageProps): string {
  const { page, data, children, ...head } = props;
  const { address, language, title } = head;
  return renderPage(
    <Layout {...head} description={OWNER_PAGE_WORDS[language].description} hasWords isForOwners>
      <div
        id="owner"
        data-owner={page}
        // With the reports, on the host of the page or elsewhere.
        data-api={address.reportUrl || address.root}
        data-manage={pathOf(address, language, "/monitor/")}
        {...data}
        data-words={JSON.stringify(ownerScriptWords(language))}
      >
        <h1>{title}</h1>
        {children}
        <OwnerCurl address={address} language={language} />
      </div>
    </Layout>,
  );
}
