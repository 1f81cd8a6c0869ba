import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A site on the loopback that a visitor of the demo can add and prove as an owner would. */
export interface DemoSite {
  readonly url: string;
  /** Of its pages. */
  readonly folder: string;
  readonly port: number;
  close(): void;
}

const PAGE = `<!doctype html>
<html lang="ru">
  <head>
    <meta charset="utf-8">
    <title>Магазин примеров</title>
  </head>
  <body>Открыто.</body>
</html>
`;

/** Serves a new folder, until it is closed. */
export async function openDemoSite(folder: string): Promise<DemoSite> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.html"), PAGE);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    readFile(join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname)).then(
      (body) => response.end(body),
      () => response.writeHead(404).end("not here"),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, folder, port, close: () => void server.close() };
}
