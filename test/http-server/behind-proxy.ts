import { readProxies } from "../../src/http-server/client-address.ts";
import { createNetworkKeys } from "../../src/http-server/network-key.ts";
import { type AnswerBody, parseAnswer } from "./answer-body.ts";

const ORIGIN = "https://status.example.ru";
const PROXY = "192.0.2.1";

const proxies = readProxies([`${PROXY}/24`]);
if (proxies.kind !== "ok") throw new Error("the proxies are wrong");

/** Settings of a part of the intake that is asked through a proxy. */
export const BEHIND_PROXY = {
  allowedOrigins: ["https://partner.example"],
  ownOrigin: ORIGIN,
  proxies: proxies.proxies,
  toNetworkKey: createNetworkKeys(new Uint8Array(32)),
};

export interface Asked {
  readonly bearer?: string | undefined;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Address of the client. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; without fields if it is not JSON. */
  readonly body: AnswerBody;
}

interface App {
  readonly fetch: (request: Request, env: object) => Response | Promise<Response>;
}

/** Asks such a part, without a connection. */
export async function askApp(
  app: App,
  method: string,
  path: string,
  { bearer, body, from = "198.51.100.7", headers = {} }: Asked,
): Promise<Answer> {
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      "X-Forwarded-For": from,
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await app.fetch(request, { remoteAddress: PROXY });
  const text = await response.text();
  const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: parseAnswer(isJson ? text : "{}"),
  };
}
