import { text } from "node:stream/consumers";
import { carryOut } from "./carry-out.ts";
import type { CrewOrder } from "./run-crew.ts";

// `tsx crew-script.ts` checks what the `CrewOrder` on its input says, and prints the `CrewReply`. Our own helper writes it.
const order = JSON.parse(await text(process.stdin)) as CrewOrder;
process.stdout.write(JSON.stringify(await carryOut(order)));
