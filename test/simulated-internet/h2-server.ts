import { once } from "node:events";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import type { TlsOptions } from "node:tls";
import { openCertificateIssuer } from "./certificates.ts";

export interface H2Server {
  readonly port: number;
  /** The version of HTTP of each request. */
  readonly versions: readonly string[];
  close(): Promise<void>;
}

/** A server of HTTP/2 and HTTP/1.1 for every name. @param body of each answer. */
export async function startH2Server(body: string, options: TlsOptions = {}): Promise<H2Server> {
  const issuer = await openCertificateIssuer(Date.now());
  const versions: string[] = [];
  const sessions = new Set<{ destroy(): void }>();
  const server = createSecureServer({
    allowHTTP1: true,
    ...options,
    SNICallback: (name, done) => {
      issuer.contextFor(name, "public").then(
        (context) => done(null, context),
        (error: unknown) => done(error as Error),
      );
    },
  });
  server.on("session", (session) => sessions.add(session));
  server.on("tlsClientError", () => {});
  server.on("request", (request: Http2ServerRequest, response: Http2ServerResponse) => {
    versions.push(request.httpVersion);
    response.setHeader("content-type", "text/html");
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    versions,
    async close() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
