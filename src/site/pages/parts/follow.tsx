import type { Html } from "../../html.ts";
import { nameCategory } from "../../words/catalogue.ts";
import { FOLLOW_WORDS } from "../../words/pages/follow.ts";
import { SERVICE_WORDS } from "../../words/pages/service-page.ts";
import { Card, LinkItem, type ServiceProps } from "./elements.tsx";
import { fileOf, hasPush, serviceFeedPath } from "./links.ts";

/** Their names are the same in both languages. */
const CHANNELS = [
  ["telegram", "Telegram"],
  ["max", "MAX"],
] as const;

/** «Следить за сервисом»: whatever the operator has, and nothing that leads nowhere. */
export function Follow(props: ServiceProps): Html {
  const { address, service, language } = props;
  const words = SERVICE_WORDS[language];
  const file = (path: string): string => fileOf(address, path);
  return (
    <Card id="follow" title={words.more}>
      <PushSwitch {...props} />
      <ul class="links">
        {channelsOf(props).map(({ channel, url, isOwn }) => (
          <LinkItem href={url}>
            {FOLLOW_WORDS[language][channel]}
            {isOwn && `: ${nameCategory(service.category, language)}`}
          </LinkItem>
        ))}
        <LinkItem href={file(serviceFeedPath(service.slug))}>{words.feed}</LinkItem>
        <LinkItem href={file(`/api/v1/status/${service.slug}`)}>{words.data}</LinkItem>
        <LinkItem href={file(`/evidence/v1/${service.slug}.json`)}>{words.evidenceData}</LinkItem>
      </ul>
    </Card>
  );
}

/** The channels of the category, or else those of all services. */
function channelsOf({ address, service }: ServiceProps) {
  const { follow } = address.people;
  const ofCategory = follow?.categories?.[service.category.id];
  return CHANNELS.flatMap(([channel, name]) => {
    const own = ofCategory?.[channel];
    const url = own ?? follow?.[channel];
    return url === undefined ? [] : [{ channel, name, url, isOwn: own !== undefined }];
  });
}

/** The script shows it where a browser can be told, and fills it. */
function PushSwitch(props: ServiceProps): Html {
  const { address } = props;
  if (!hasPush(address)) return <></>;
  const words = FOLLOW_WORDS[props.language];
  const unreachable = words.unreachable(channelsOf(props).map(({ name }) => name));
  return (
    <div
      id="push"
      class="push"
      data-key={address.pushKey ?? ""}
      data-api={address.reportUrl || address.root}
      data-worker={fileOf(address, "/push.js")}
      data-scope={fileOf(address, "/status/")}
      data-service={props.service.slug}
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
