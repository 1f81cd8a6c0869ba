import { expect, test } from "vitest";
import { urlFaultOf } from "../../../src/site/browser/url-fault.ts";

test.each([
  ["shop.example.ru", "no-scheme"],
  ["www.shop.example.ru/catalogue", "no-scheme"],
  ["ftp://shop.example.ru/", "other-scheme"],
  ["https://", "malformed"],
  ["https://shop example.ru/", "malformed"],
  ["https://me:secret@shop.example.ru/", "credentials"],
  ["https://shop.example.ru:8443/", "port"],
  ["http://10.0.0.1:22/", "inner"],
  ["http://localhost/", "inner"],
  ["http://router/", "inner"],
  ["http://nas.local/", "inner"],
  ["http://[fd00::1]/", "inner"],
  [`https://shop.example.ru/${"a".repeat(2_048)}`, "too-long"],
  ["https://co.uk/", "refused"],
])("what is wrong with %s is %s", (written, fault) => {
  expect(urlFaultOf(written)).toBe(fault);
});
