import { expect, test } from "vitest";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { sendingOf } from "../../src/notify/state-audience.ts";
import type { StateAudience } from "../../src/notify/state-audience.ts";

const { signal: stop } = new AbortController();
// Of an audience, only what sending needs.
const AUDIENCE = { push: {}, probe: {}, stop } as unknown as StateAudience;

const sending = (contact: string | undefined, baseUrl: string | null) => {
  const { siteSettings } = EMPTY_STATE;
  const { contact: _, ...people } = siteSettings.people;
  const own = contact === undefined ? people : { ...people, contact };
  return sendingOf({ siteSettings: { ...siteSettings, people: own }, baseUrl }, AUDIENCE);
};

test.each([
  ["mailto:a@example.ru", "https://a.example", "mailto:a@example.ru"],
  ["https://a.example/contact", "https://a.example", "https://a.example/contact"],
  ["http://a.example/contact", "https://a.example:8443/x", "mailto:status-snapshot@a.example"],
  ["@channel", null, "mailto:status-snapshot@localhost"],
  [undefined, "https://a.example", "mailto:status-snapshot@a.example"],
])("services of browsers can ask %j of a website at %j, named as %s", (contact, baseUrl, named) => {
  expect(sending(contact, baseUrl).contact).toBe(named);
});

test("the address of the website has no slash at its end, and may be unknown", () => {
  expect(sending(undefined, "https://a.example/x//").baseUrl).toBe("https://a.example/x");
  expect(sending(undefined, null)).toEqual({
    probe: AUDIENCE.probe,
    signal: stop,
    push: AUDIENCE.push,
    contact: "mailto:status-snapshot@localhost",
    baseUrl: "",
  });
});
