import type { PlaceStatus, PlaceView } from "../../src/site/view.ts";

const PLACE = { asn: 24_940, isCalibrated: true, heardAtMs: null } as const;

/** What two controls, another place in Moscow and a mobile network say. */
export function placesOf(
  abroad: PlaceStatus,
  second: PlaceStatus = abroad,
  moscow: PlaceStatus = "fails",
): readonly PlaceView[] {
  const codeAt = (status: PlaceStatus) =>
    status === "fails" ? { code: "tcp-timeout" as const } : {};
  return [
    {
      ...PLACE,
      ...codeAt(abroad),
      kind: "control",
      country: "DE",
      network: "Hetzner",
      status: abroad,
    },
    {
      ...PLACE,
      ...codeAt(second),
      kind: "control",
      country: "FI",
      network: "UpCloud",
      asn: 202_053,
      status: second,
      isCalibrated: false,
    },
    {
      ...PLACE,
      ...codeAt(moscow),
      kind: "moscow",
      country: "RU",
      network: "МТС",
      asn: 8_359,
      status: moscow,
    },
    {
      ...PLACE,
      kind: "mobile",
      country: "RU",
      network: "Билайн, Ростов",
      asn: 3_216,
      status: "silent",
      heardAtMs: Date.UTC(2026, 10, 21, 6, 5),
    },
  ];
}
