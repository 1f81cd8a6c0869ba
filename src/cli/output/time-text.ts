/** A time in UTC to the second: 2026-11-22T10:00:00Z. */
export function formatTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
