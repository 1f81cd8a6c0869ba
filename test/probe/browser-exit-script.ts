import { listen } from "../simulated-internet/front.ts";
import { startSimulatedInternet } from "../simulated-internet/simulated-internet.ts";
import { askBrowser, targetOf } from "./browser/harness.ts";
import { LIMITS, shortFor } from "./harness.ts";

// `tsx browser-exit-script.ts COUNT`: asks servers whose answers are given up half-way, and prints how many opened. Then nothing may
// keep this process alive: the package forgets some answers that are cancelled, and waits for their events.
const count = Number(process.argv[2]);
const internet = await startSimulatedInternet({ hasOwnRoot: true });
internet.set("endless.test", { kind: "body-endless" });
internet.set("frozen.test", { kind: "body-stall", afterBytes: 16_000 });
const silent = await listen(() => {});
let opened = 0;
for (let round = 0; round < count; round += 1) {
  const opinion = await askBrowser(targetOf(internet.tlsPort, "endless.test"), LIMITS);
  if (opinion?.kind === "opens") opened += 1;
}
await askBrowser(targetOf(internet.tlsPort, "frozen.test"), shortFor("stallMs"));
await askBrowser(targetOf(silent.port), shortFor("tlsMs"));
await silent.close();
await internet.close();
process.stdout.write(JSON.stringify({ opened }));
