import type { Color } from "../../../contract/codes/verdict.ts";
import type { Html } from "../../html.ts";
import type { PlaceStatus, PlaceView } from "../../view.ts";
import { ENDPOINT_STATUS_WORDS } from "../../words/pages/service-page.ts";
import { FAILURE_WORDS } from "../../words/failure.ts";
import { KIND_WORDS, nameCountry, PLACE_STATUS_WORDS, PLACES_WORDS } from "../../words/scope.ts";
import { VERDICT_LABELS } from "../../../contract/codes/verdict-words.ts";
import { type PageProps, Card, HeadRow, Light, Moment, type ServiceProps } from "./elements.tsx";

const LIGHTS: Readonly<Record<PlaceStatus, Color>> = {
  opens: "ok",
  fails: "bad",
  "no-browsers": "bad",
  denied: "warn",
  unknown: "none",
  silent: "none",
  "white-list": "none",
};

/** Where the service opens: the runner and every other place. Nothing while there are no other places. */
export function Places({ address, service, language }: ServiceProps): Html {
  const words = PLACES_WORDS[language];
  const { places } = service.scope;
  if (places.length === 0) return <></>;
  const critical = service.endpoints.filter(({ isCritical }) => isCritical);
  const own = OUTVOTED.find((kind) => critical.some(({ status }) => status.kind === kind));
  return (
    <Card id="places" title={words.title} hint={words.hint}>
      <table class="places">
        <HeadRow titles={[words.place, words.result]} />
        <tbody>
          <tr data-light={own === undefined ? service.verdict.color : "none"}>
            <th scope="row">
              {words.moscow} <span class="host">{words.runner}</span>
            </th>
            <td>
              <Light />{" "}
              {own === undefined
                ? VERDICT_LABELS[language][service.verdict.code]
                : ENDPOINT_STATUS_WORDS[language][own]}
            </td>
          </tr>
          {places.map((place) => (
            <Place place={place} address={address} language={language} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** What the runner itself found, where the verdict is that of other places or of a browser. */
const OUTVOTED = ["not-at-home", "not-browsers", "only-browsers", "elsewhere"] as const;

function Place({ place, address, language }: PageProps & { readonly place: PlaceView }): Html {
  const { kind, country, network, asn, status, code, isCalibrated, heardAtMs } = place;
  const words = PLACES_WORDS[language];
  const isNoSign = status === "fails" && kind === "control" && !isCalibrated;
  const name = [
    KIND_WORDS[language][kind],
    kind === "moscow" ? "" : nameCountry(country, language),
  ].filter((part) => part !== "");
  return (
    <tr data-light={isNoSign ? "none" : LIGHTS[status]}>
      <th scope="row">
        {name.join(", ")}{" "}
        <span class="host">
          {network} (AS{asn})
        </span>
      </th>
      <td>
        <Light /> {PLACE_STATUS_WORDS[language][status]}
        {code !== undefined && status === "fails" && `: ${FAILURE_WORDS[language][code]}`}
        {isNoSign && `; ${words.uncalibrated}`}
        {heardAtMs !== null && (
          <>
            ; {words.since} <Moment atMs={heardAtMs} language={language} address={address} />
          </>
        )}
      </td>
    </tr>
  );
}
