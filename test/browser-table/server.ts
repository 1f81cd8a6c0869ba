import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import type { Answer } from "./page.ts";
import { ROWS } from "./rows.ts";

/** The small servers of the table, on one port: by the name in `Host`. */
export interface TableServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The host of a row. */
export function hostOf(index: number): string {
  return `row-${index}.test`;
}

const answerOf = (answer: Answer, path: string, head: string, host: string): string =>
  (typeof answer === "string" ? answer : answer(path, head)).replaceAll("%HOST%", host);

/** Answers each request with the bytes of its row, and closes. */
export function serveRow(socket: Socket): void {
  let seen = "";
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes: Buffer) => {
    const wasComplete = seen.includes("\r\n\r\n");
    seen += bytes.toString("latin1");
    if (wasComplete || !seen.includes("\r\n\r\n")) return;
    const [, path = "/"] = /^\S+ (\S+)/u.exec(seen) ?? [];
    const [, host = "", index = ""] = /^host: *(row-(\d+)\.test)/imu.exec(seen) ?? [];
    const row = ROWS[Number(index)];
    // A browser also asks for an icon.
    if (row === undefined || path === "/favicon.ico") return void socket.destroy();
    socket.end(Buffer.from(answerOf(row.answer, path, seen, host), "latin1"));
  });
}

export async function startTableServer(): Promise<TableServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serveRow(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
