import { expect, test } from "vitest";
import { placeOf } from "./places.ts";

test("a host is in the network of its owner, in any zone", () => {
  expect(placeOf("mail.yandex.ru")).toEqual({ network: "yandex", isAbroad: false, isRuZone: true });
  expect(placeOf("77.88.8.8")).toEqual({ network: "yandex", isAbroad: false, isRuZone: false });
  expect(placeOf("www.youtube.com")).toEqual({
    network: "google",
    isAbroad: true,
    isRuZone: false,
  });
  expect(placeOf("max.ru").network).toBe("vk");
});

test("hosts of other owners are with a hoster on their side of the border", () => {
  expect(placeOf("гибдд.рф")).toMatchObject({ isAbroad: false, isRuZone: true });
  expect(placeOf("example.com")).toMatchObject({ isAbroad: true, isRuZone: false });
  expect(placeOf("example.com", false)).toMatchObject({ isAbroad: false, isRuZone: false });
});

test("all names of an owner are in one network", () => {
  expect(placeOf("www.vtb.ru").network).toBe(placeOf("online.vtb.ru").network);
});
