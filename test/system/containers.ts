import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { getuid } from "node:process";
import { type HomeLine, ROOT } from "./home-line.ts";

/** Podman with a store of its own, which goes with the test. */
export interface Containers {
  /** Builds the image of a vantage once, and gives the command that runs it with the rights that its file documents. */
  readonly commandOf: (
    packed: string,
    line: HomeLine,
    options: readonly string[],
  ) => readonly string[];
  readonly close: () => void;
}

const IMAGE = "localhost/status-snapshot-vantage";
const BASE = "localhost/base";

/** In the place of npm, which would ask a registry for the dependencies: a vantage loads none of them. */
const NPM = `#!/bin/sh -e
[ "$1" = install ] || exit 0
for packed in "$@"; do :; done
mkdir -p /usr/local/lib/node_modules
tar -xzf "$packed" -C /usr/local/lib/node_modules
ln -s ../lib/node_modules/package/dist/cli.js /usr/local/bin/status-snapshot
`;

/** Undefined: this machine cannot run containers. */
export function openContainers(): Containers | undefined {
  // Podman refuses a longer path than 50 characters.
  const folder = mkdtempSync("/tmp/status-podman-");
  const place = ["--root", join(folder, "root"), "--runroot", join(folder, "run")];
  const podman = [...withoutHybridGroups(), "podman", "--cgroup-manager", "cgroupfs", ...place];
  const run = (args: readonly string[]): string => {
    const [file = "", ...rest] = [...podman, ...args];
    return execFileSync(file, rest, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  };
  // Limits by control groups, and higher ones than those of the tests, are more than a container around the tests may allow.
  const free = [
    "run",
    "--rm",
    "--cgroups=disabled",
    "--ulimit",
    "nofile=1024:1024",
    "--ulimit",
    "nproc=1024:1024",
  ];
  const close = (): void => {
    run(["rmi", "--all", "--force"]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    importBase(join(folder, "base"), run);
    run([...free, "--network", "none", BASE, "env"]);
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  return {
    commandOf: (packed, line, options) => {
      const file = join(ROOT, "deploy/vantage/Containerfile");
      const build = ["build", "--isolation", "chroot", "--layers=false", "--from", BASE];
      run([...build, "--file", file, "--tag", IMAGE, dirname(packed)]);
      run(["secret", "create", "vantage.jwk", line.key]);
      const rights = ["--read-only", "--read-only-tmpfs=false", "--cap-drop", "all"];
      const privileges = ["--security-opt", "no-new-privileges"];
      const mounts = ["--volume", `${line.one.folder}:${line.one.folder}:ro`];
      return [...podman, ...free, ...rights, ...privileges, ...mounts, ...options, IMAGE];
    },
    close,
  };
}

/** A root folder with the Node.js of this machine and the few commands that the build uses; no image is fetched. */
function importBase(base: string, run: (args: readonly string[]) => string): void {
  const bin = join(base, "usr/bin");
  for (const name of ["usr/bin", "usr/lib", "usr/lib64", "usr/local/bin", "etc", "tmp"])
    mkdirSync(join(base, name), { recursive: true });
  for (const name of ["bin", "lib", "lib64"]) symlinkSync(`usr/${name}`, join(base, name));
  const find = (name: string): string =>
    execFileSync("sh", ["-c", `readlink -f "$(command -v ${name})"`], { encoding: "utf8" }).trim();
  const commands = ["sh", "env", "rm", "mkdir", "ln", "tar", "gzip"];
  const files = new Map(commands.map((name) => [join(bin, name), find(name)]));
  files.set(join(base, "usr/local/bin/node"), process.execPath);
  for (const [to, from] of files) {
    cpSync(from, to, { dereference: true });
    for (const library of execFileSync("ldd", [from], { encoding: "utf8" }).match(/\/\S+/gu) ?? [])
      if (!existsSync(join(base, library))) {
        mkdirSync(dirname(join(base, library)), { recursive: true });
        cpSync(library, join(base, library), { dereference: true });
      }
  }
  writeFileSync(join(base, "usr/local/bin/npm"), NPM, { mode: 0o755 });
  writeFileSync(join(base, "etc/passwd"), "root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n");
  execFileSync("tar", ["-cf", `${base}.tar`, "-C", base, "."]);
  rmSync(base, { recursive: true });
  run(["import", `${base}.tar`, BASE]);
}

/** Debian's crun refuses both versions of control groups side by side, so it is shown the second one alone. */
function withoutHybridGroups(): readonly string[] {
  if (getuid?.() !== 0 || !existsSync("/sys/fs/cgroup/unified")) return [];
  const script =
    'mount -t tmpfs none /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup && exec "$@"';
  return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh"];
}
