import type { SitePeople } from "../../../model/site-settings.ts";
import type { Html } from "../../html.ts";
import type { SiteAddress } from "../../view.ts";
import type { Language } from "../../words/language.ts";
import { PEOPLE_WORDS } from "../../words/pages/people.ts";

interface PeopleProps {
  readonly address: SiteAddress;
  readonly language: Language;
}

const LINKS = ["contact", "wrongVerdict", "addSite", "source"] as const satisfies readonly Exclude<
  keyof SitePeople,
  "follow"
>[];

/** The operator and the links to reach them, as items of a list. Empty without the option `--about`. */
export function PeopleItems({ address, language }: PeopleProps): Html {
  const words = PEOPLE_WORDS[language];
  const { people } = address;
  return (
    <>
      {people.operator !== undefined && (
        <li>
          {words.operator} {people.operator}
        </li>
      )}
      {LINKS.filter((link) => link !== "addSite" || !address.isSelfService).map((link) => {
        const url = people[link];
        return (
          url !== undefined && (
            <li>
              <a href={url}>{words[link]}</a>
            </li>
          )
        );
      })}
    </>
  );
}

/** The same as a section of `/about`. */
export function PeopleSection(props: PeopleProps): Html {
  const { follow: _, ...people } = props.address.people;
  if (Object.keys(people).length === 0) return <></>;
  return (
    <section id="people" aria-labelledby="people-title">
      <h2 id="people-title">{PEOPLE_WORDS[props.language].title}</h2>
      <ul>
        <PeopleItems {...props} />
      </ul>
    </section>
  );
}
