import type { TestProject } from "vitest/node";
import { type CephAddress, startCeph } from "./ceph.ts";

declare module "vitest" {
  // Declaration merging is how vitest types `inject("ceph")`.
  export interface ProvidedContext {
    ceph: CephAddress;
  }
}

/** Vitest calls it once before the first test file; what it returns runs after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { createUser: _createUser, stop, ...address } = await startCeph();
  project.provide("ceph", address);
  return stop;
}
