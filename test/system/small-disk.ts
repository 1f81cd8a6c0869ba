import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small file system in memory, which can be full. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills it except for `leave` bytes. */
  readonly fill: (leave: number) => void;
  /** Removes what `fill` wrote. */
  readonly clear: () => void;
  /** Unmounts it, also while a process has files open there. */
  readonly close: () => void;
}

/** Undefined: mounting needs root, and is not allowed in every container. */
export function openSmallDisk(bytes: number): SmallDisk | undefined {
  const parent = mkdtempSync(join(tmpdir(), "status-snapshot-disk-"));
  const folder = join(parent, "disk");
  mkdirSync(folder);
  try {
    const options = ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder];
    execFileSync("mount", options, { stdio: "ignore" });
  } catch {
    rmSync(parent, { recursive: true });
    return undefined;
  }
  return {
    folder,
    fill: (leave) => {
      let size = bytes - leave;
      for (let part = 0; size >= 4_096 && part < 200; part += 1) {
        try {
          writeFileSync(join(folder, `filler-${part}`), Buffer.alloc(size));
        } catch {
          // The partial file is removed; the size is halved until it is less than a block.
          rmSync(join(folder, `filler-${part}`), { force: true });
          size = Math.floor(size / 2);
        }
      }
    },
    clear: () => {
      for (const name of readdirSync(folder))
        if (name.startsWith("filler-")) rmSync(join(folder, name));
    },
    close: () => {
      execFileSync("umount", ["--lazy", folder]);
      rmSync(parent, { recursive: true });
    },
  };
}
