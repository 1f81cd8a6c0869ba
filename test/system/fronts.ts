import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../free-port.ts";
import { FRONT_HOST } from "./front-certificate.ts";
import { type Front, type Program, type Room, startServer } from "./front-server.ts";

export type { Front } from "./front-server.ts";

const DEPLOY = fileURLToPath(new URL("../../deploy", import.meta.url));

export type FrontName = "nginx" | "varnish" | "caddy" | "nginx-directory";

/** The source of a front: a bucket for the first three, a directory for the last. */
export interface FrontSource {
  /** `http://127.0.0.1:<port>` of the store. */
  readonly endpoint: string;
  /** The bucket, and the folder of the documents in it, if any: `status/public`. */
  readonly bucket: string;
  /** The public folder of a directory store. */
  readonly directory: string;
}

export interface FrontOptions {
  /** Changes of the shipped file besides addresses and paths. */
  readonly edits?: readonly Edit[];
  /** Without TLS, as behind a proxy that terminates it. */
  readonly isPlain?: boolean;
}

export type Edit = readonly [from: string, to: string];

interface Recipe {
  readonly file: string;
  /** Replaces the values of the shipped file by those of the test, except for the name of the site. */
  readonly edits: (source: FrontSource, room: Room) => Promise<readonly Edit[]>;
  readonly launch: (file: string, room: Room) => Promise<readonly Program[]>;
}

const RECIPES: Readonly<Record<FrontName, Recipe>> = {
  nginx: {
    file: "nginx.conf",
    edits: async ({ endpoint, bucket }, room) => [
      ...editNginx(room),
      ["http://127.0.0.1:7480/status-public", `${endpoint}/${bucket}`],
      ["/etc/ssl/certs/ca-certificates.crt", room.certificateFile],
      ["/var/cache/nginx/status", join(room.folder, "cache")],
    ],
    launch: launchNginx,
  },
  "nginx-directory": {
    file: "nginx-directory.conf",
    edits: async ({ directory }, room) => [
      ...editNginx(room),
      ["/var/lib/status-snapshot/public", directory],
    ],
    launch: launchNginx,
  },
  varnish: {
    file: "varnish.vcl",
    edits: async ({ endpoint, bucket }) => [
      ["127.0.0.1:7480", new URL(endpoint).host],
      ['.port = "7480"', `.port = "${new URL(endpoint).port}"`],
      ['"/status-public', `"/${bucket}`],
    ],
    launch: launchVarnish,
  },
  caddy: {
    file: "Caddyfile",
    edits: async ({ endpoint, bucket }, room) => [
      ...editCaddy(room),
      ["http://127.0.0.1:7480", endpoint],
      ["/status-public/", `/${bucket}/`],
    ],
    launch: launchCaddy,
  },
};

/**
 * Starts the real server from the file in `deploy/` with its addresses and paths replaced, on free loopback ports and with all of
 * its files in one temporary folder. It ends with this process, even after kill -9.
 * Throws if a replacement does not match, if the server is not installed, or if it does not start.
 */
export async function startFront(
  name: FrontName,
  source: FrontSource,
  { edits = [], isPlain = false }: FrontOptions = {},
): Promise<Front> {
  const { file, edits: place, launch } = RECIPES[name];
  return startServer(isPlain, async (room) => {
    const target = join(room.folder, file);
    const all = [...(await place(source, room)), ["status.example", FRONT_HOST] as const, ...edits];
    await writeFile(target, replaceAll(await readShipped(file), all));
    return launch(target, room);
  });
}

/** A configuration that is not shipped, for comparison: its text for a port and a folder. */
export type PlainConfig = (port: number, folder: string) => string;

/** Starts the server of a front with another configuration, without TLS. Throws like `startFront`. */
export async function startPlain(
  name: Exclude<FrontName, "nginx-directory">,
  config: PlainConfig,
): Promise<Front> {
  const { file, launch } = RECIPES[name];
  return startServer(true, async (room) => {
    const target = join(room.folder, file);
    await writeFile(target, config(room.port, room.folder));
    return launch(target, room);
  });
}

function readShipped(file: string): Promise<string> {
  return readFile(join(DEPLOY, file), "utf8");
}

/** Replaces every occurrence. Throws if there is none, because then the shipped file has changed. */
function replaceAll(text: string, edits: readonly Edit[]): string {
  return edits.reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`the shipped file has no ${JSON.stringify(from)}`);
    return edited.replaceAll(from, () => to);
  }, text);
}

function editNginx(room: Room): readonly Edit[] {
  const { port, plainPort, certificateFile, keyFile, isPlain } = room;
  const words = isPlain ? "" : " ssl http2";
  return [
    ["listen 80;", `listen 127.0.0.1:${plainPort};`],
    ["listen [::]:80;", `listen [::1]:${plainPort};`],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port}${words};`],
    ["listen [::]:443 ssl http2;", `listen [::1]:${port}${words};`],
    ["/etc/letsencrypt/live/status.example/fullchain.pem", certificateFile],
    ["/etc/letsencrypt/live/status.example/privkey.pem", keyFile],
  ];
}

async function launchNginx(file: string, { folder }: Room): Promise<readonly Program[]> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  // What a distribution's nginx.conf has around the shipped file. Workers of a root process would run as `nobody`, without access.
  const main = `
    ${process.getuid?.() === 0 ? "user root;" : ""}
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
      include ${file};
    }`;
  await writeFile(join(folder, "main.conf"), main);
  return [{ args: ["nginx", "-p", folder, "-c", join(folder, "main.conf"), "-e", "stderr"] }];
}

/** Varnish and Hitch, with the files that are shipped for both. */
async function launchVarnish(file: string, room: Room): Promise<readonly Program[]> {
  const { folder, port, plainPort, isPlain, certificateFile, keyFile } = room;
  const work = join(folder, "work");
  await mkdir(work);
  const meetingPort = isPlain ? port : await findFreePort();
  const service = replaceAll(await readShipped("varnish-service.conf"), [
    ["-j unix,user=vcache", `-j none -n ${work}`],
    ["-a http=:80", `-a http=127.0.0.1:${plainPort} -a http=[::1]:${plainPort}`],
    [
      "https=127.0.0.1:6086,PROXY",
      isPlain ? `127.0.0.1:${port}` : `https=127.0.0.1:${meetingPort},PROXY`,
    ],
    ["-T localhost:6082", `-T localhost:${await findFreePort()}`],
    ["/etc/varnish/default.vcl", file],
    ["-S /etc/varnish/secret ", ""],
    ["malloc,256m", "malloc,64m"],
  ]);
  const command = /^ExecStart=(\/.+)$/mu.exec(service)?.[1] ?? "";
  const varnish = { args: command.split(" ") };
  if (isPlain) return [varnish];
  const hitch = replaceAll(await readShipped("hitch.conf"), [
    [
      'frontend = {\n    host = "*"\n    port = "443"\n}',
      `frontend = "[127.0.0.1]:${port}"\nfrontend = "[::1]:${port}"`,
    ],
    ["/etc/letsencrypt/live/status.example/fullchain.pem", certificateFile],
    ["/etc/letsencrypt/live/status.example/privkey.pem", keyFile],
    ["[127.0.0.1]:6086", `[127.0.0.1]:${meetingPort}`],
  ]);
  const config = join(folder, "hitch.conf");
  await writeFile(config, hitch);
  // Started as root, Hitch needs a user.
  const user = process.getuid?.() === 0 ? ["--user", "nobody", "--group", "nogroup"] : [];
  return [varnish, { args: ["hitch", "--config", config, "--quiet", ...user] }];
}

function editCaddy({ port, plainPort, isPlain, ...room }: Room): readonly Edit[] {
  if (isPlain) {
    return [
      ["\nhttp://status.example {", `\nhttp://127.0.0.1:${plainPort} {`],
      ["\nstatus.example {", `\nhttp://127.0.0.1:${port} {`],
    ];
  }
  const ports = `\thttp_port ${plainPort}\n\thttps_port ${port}\n\tdefault_bind 127.0.0.1 [::1]\n`;
  return [
    ["{\n\tservers {", `{\n${ports}\tservers {`],
    [
      "# tls /etc/caddy/status.example.pem /etc/caddy/status.example.key",
      `tls ${room.certificateFile} ${room.keyFile}`,
    ],
  ];
}

async function launchCaddy(file: string, { folder }: Room): Promise<readonly Program[]> {
  const program = {
    args: ["caddy", "run", "--adapter", "caddyfile", "--config", file],
    // Its own folders and administration port, because a Caddy of this machine has the default ones.
    env: {
      HOME: folder,
      XDG_DATA_HOME: join(folder, "data"),
      XDG_CONFIG_HOME: join(folder, "config"),
      CADDY_ADMIN: `127.0.0.1:${await findFreePort()}`,
    },
  };
  return [program];
}

/** Writes a file and creates its folder. */
export async function writeFileAt(path: string, body: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, body);
}
