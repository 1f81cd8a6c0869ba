import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type RunningCli, eventsNamed, until } from "../cli/cli.ts";
import { type LoopbackS3, startLoopbackS3 } from "../cli/loopback-s3.ts";
import { openWorkspace, type Workspace } from "../cli/workspace.ts";
import { openPlaces, type Places } from "../simulated-internet/places.ts";
import { encodeAsk } from "../../src/vantages/exchange.ts";

/* `vantage watch` on a line, and with a store, that come and go. */

let places: Places;
beforeAll(async () => {
  places = await openPlaces(["home"]);
});
afterAll(() => places.close());

const ASK = "0d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b11";

interface Watching {
  readonly one: Workspace;
  readonly s3: LoopbackS3;
  readonly running: RunningCli;
  /** Asks for every service of the workspace. */
  readonly ask: () => void;
}

async function startWatching(): Promise<Watching> {
  const one = await openWorkspace(places.at("home"));
  onTestFinished(() => one.close());
  await one.program(["vantage", "keygen", "--key", "home.jwk"]);
  const s3 = await startLoopbackS3();
  const anchors = ["f1", "f2", "f3"].flatMap((name) => [
    "--set",
    `anchor=https://${one.host(name)}/`,
  ]);
  const store = ["--ask", s3.url("x"), "--id", "home", "--key", "home.jwk"];
  const network = ["--connect-to", "@hosts.txt", "--allow-private", "127.0.0.0/8", ...anchors];
  const args = ["vantage", "watch", ...store, ...network, "--every", "1"];
  const running = one.start(args, s3.env);
  onTestFinished(async () => {
    running.child.kill("SIGTERM");
    await running.ended;
  });
  const endpoints = ["alpha", "beta"].map((name) => {
    return { url: `https://${one.host(name)}/`, trust: "public" as const };
  });
  const ask = {
    id: ASK,
    after: null,
    experimenters: [],
    browsers: [],
    atMs: 0,
    endpoints,
    failing: new Map(),
  };
  return {
    one,
    s3,
    running,
    ask: () => void s3.objects.set("x/ask/0.json.gz", Buffer.from(encodeAsk(ask))),
  };
}

const answersOf = ({ running }: Watching) => eventsNamed(running.stderr(), "ask-answered");
const warningsOf = ({ running }: Watching) => eventsNamed(running.stderr(), "warning");

test("an answer that its store does not take is put again, and not measured again", async () => {
  const watching = await startWatching();
  const { one, s3, running, ask } = watching;
  let puts = 0;
  s3.moods.isRefused = (method) => method === "PUT" && (puts += 1) > 0;
  ask();
  await until("it has tried three times", () => puts >= 3);
  s3.moods.isRefused = () => false;
  await until("it has answered", () => answersOf(watching).length > 0);
  expect(answersOf(watching)).toMatchObject([{ ask: ASK, endpoints: 2, failing: 0 }]);
  expect([one.connections("alpha"), one.connections("beta")]).toEqual([1, 1]);
  expect(warningsOf(watching)).toMatchObject([{ message: expect.stringContaining("cannot") }]);
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0 });
});

test("a store that is away for long is told in one line, and answered when it is back", async () => {
  const watching = await startWatching();
  const { s3, ask } = watching;
  let looks = 0;
  s3.moods.hold = () => void (looks += 1);
  ask();
  await until("it has answered", () => answersOf(watching).length === 1);
  await s3.setUp(false);
  await until("it has told", () => warningsOf(watching).length > 0);
  await s3.setUp(true);
  const before = looks;
  await until("it looks again", () => looks > before);
  await s3.setUp(false);
  await until("it has told again", () => warningsOf(watching).length > 1);
  expect(warningsOf(watching)).toHaveLength(2);
  expect(answersOf(watching)).toHaveLength(1);
});
