import type { TestProject } from "vitest/node";
import { type CephAddress, startCeph } from "./ceph.ts";

declare module "vitest" {
  // Vitest needs declaration merging for the type of `inject("ceph")`.
  export interface ProvidedContext {
    ceph: CephAddress;
  }
}

/** Vitest calls it before the first test file, and the returned function after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { createUser: _createUser, stop, ...address } = await startCeph();
  project.provide("ceph", address);
  return stop;
}
