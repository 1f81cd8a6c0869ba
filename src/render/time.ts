/** A time in UTC to the second, as people and programs read it: 2026-11-22T10:00:00Z. */
export function formatTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
