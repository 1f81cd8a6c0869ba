import { expect, test } from "vitest";
import { toFault } from "../../../src/model/monitor/problems.ts";
import {
  readChannelRequest,
  readMonitorPatch,
  readNewMonitor,
} from "../../../src/monitors/registry/read-request.ts";

const RULES = { refusalOfUrl: () => undefined };
const SHOP = '{"url":"https://shop.example/"}';

function created(text: string) {
  const request = readNewMonitor(text, "m1", RULES);
  if (request.kind !== "ok") throw new Error(request.kind);
  return request.wanted;
}

test("a new monitor has the id of the server, and none of its own", () => {
  expect(created(SHOP)).toMatchObject({ id: "m1", name: "shop.example", isPublic: false });
  expect(readNewMonitor('{"id":"m2","url":"https://shop.example/"}', "m1", RULES)).toEqual({
    kind: "invalid",
    errors: [{ pointer: "/id", message: "an id is given by the server." }],
  });
});

test("a patch keeps what it does not name, and null brings back the default", () => {
  const patch = (text: string) => readMonitorPatch(text, { ...created(SHOP), name: "Shop" }, RULES);
  expect(patch('{"public":true}')).toMatchObject({
    kind: "ok",
    wanted: { id: "m1", name: "Shop", isPublic: true, url: "https://shop.example/" },
  });
  expect(patch('{"name":null}')).toMatchObject({ wanted: { name: "shop.example" } });
  expect(patch('{"id":"m2"}')).toMatchObject({ errors: [{ pointer: "/id" }] });
});

test.each(["{}", '{"language":"en"}'])("a channel without a receiver is refused: %s", (text) => {
  const message = "give either a webhook or a push subscription.";
  expect(readChannelRequest(text, RULES, false)).toEqual({
    kind: "invalid",
    errors: [{ pointer: "", message }],
  });
});

test("a name that was only the default follows the URL", () => {
  const moved = readMonitorPatch('{"url":"https://new.example/"}', created(SHOP), RULES);
  expect(moved).toMatchObject({ wanted: { name: "new.example" } });
});

test("what is no object is malformed", () => {
  for (const text of ["", "[]", "null", "1", "{"])
    expect([text, readNewMonitor(text, "m1", RULES).kind]).toEqual([text, "malformed"]);
});

test("a fault has the JSON Pointer of its place", () => {
  const pointerOf = (...path: readonly (string | number)[]) => toFault(path, "bad").pointer;
  expect(pointerOf()).toBe("");
  expect(pointerOf("expect", 0)).toBe("/expect/0");
  expect(pointerOf("a/b~c", "~1")).toBe("/a~1b~0c/~01");
});
