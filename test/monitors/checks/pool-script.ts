import { text } from "node:stream/consumers";
import { carryOut } from "./carry-out.ts";
import type { PoolOrder } from "./pool-order.ts";

// `tsx pool-script.ts` runs the checks of the `PoolOrder` on its input and prints the `PoolReply`, both written by our helpers.
const order = JSON.parse(await text(process.stdin)) as PoolOrder;
process.stdout.write(JSON.stringify(await carryOut(order)));
