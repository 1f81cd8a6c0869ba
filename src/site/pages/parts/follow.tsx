import type { ChannelLinks } from "../../../model/site-settings.ts";
import type { Html } from "../../html.ts";
import { nameCategory } from "../../words/catalogue.ts";
import { FOLLOW_WORDS } from "../../words/pages/follow.ts";
import { SERVICE_WORDS } from "../../words/pages/service-page.ts";
import { Card, type ServiceProps } from "./elements.tsx";
import { fileOf, hasPush, serviceFeedPath } from "./links.ts";

const CHANNELS = ["telegram", "max"] as const satisfies readonly (keyof ChannelLinks)[];

/** The same in both languages. */
const CHANNEL_NAMES = { telegram: "Telegram", max: "MAX" } as const;

/** «Следить за сервисом»: whatever the operator has, and nothing that leads nowhere. */
export function Follow(props: ServiceProps): Html {
  const { view, service, language } = props;
  const words = SERVICE_WORDS[language];
  return (
    <Card id="follow" title={words.more}>
      <PushSwitch {...props} />
      <ul class="links">
        <ChannelItems {...props} />
        <li>
          <a href={fileOf(view.address, serviceFeedPath(service.slug))}>{words.feed}</a>
        </li>
        <li>
          <a href={fileOf(view.address, `/api/v1/status/${service.slug}`)}>{words.data}</a>
        </li>
        <li>
          <a href={fileOf(view.address, `/evidence/v1/${service.slug}.json`)}>
            {words.evidenceData}
          </a>
        </li>
      </ul>
    </Card>
  );
}

/** The channel of the category, or else the one of all services. */
function ChannelItems({ view, service, language }: ServiceProps): Html {
  const words = FOLLOW_WORDS[language];
  const { follow } = view.address.people;
  const ofCategory = follow?.categories?.[service.category.id];
  return (
    <>
      {CHANNELS.map((channel) => {
        const own = ofCategory?.[channel];
        const url = own ?? follow?.[channel];
        const about = own === undefined ? "" : `: ${nameCategory(service.category, language)}`;
        return (
          url !== undefined && (
            <li>
              <a href={url}>
                {words[channel]}
                {about}
              </a>
            </li>
          )
        );
      })}
    </>
  );
}

/** The script shows it where a browser can be told, and fills it. */
function PushSwitch({ view, service, language }: ServiceProps): Html {
  const { address } = view;
  if (!hasPush(address)) return <></>;
  const words = FOLLOW_WORDS[language];
  const { follow } = address.people;
  const ofCategory = follow?.categories?.[service.category.id];
  const channels = CHANNELS.filter((one) => (ofCategory?.[one] ?? follow?.[one]) !== undefined);
  const unreachable = words.unreachable(channels.map((one) => CHANNEL_NAMES[one]));
  return (
    <div
      id="push"
      class="push"
      data-key={address.pushKey ?? ""}
      data-api={address.reportUrl === "" ? address.root : address.reportUrl}
      data-worker={fileOf(address, "/push.js")}
      data-scope={fileOf(address, "/status/")}
      data-service={service.slug}
      data-words={JSON.stringify({ ...words.script, unreachable })}
      hidden
    >
      <p class="hint">{words.pushHint}</p>
      <p class="send">
        <button type="button" id="push-one">
          {words.script.turnOn}
        </button>
        <button type="button" id="push-all" class="plain" hidden>
          {words.turnAllOff}
        </button>
      </p>
      <p id="push-state" role="status"></p>
    </div>
  );
}
