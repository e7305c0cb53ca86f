/** The value below which a share of sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** p50, p99 and the longest of some durations in milliseconds. */
export function durations(times: readonly number[]): { p50Ms: number; p99Ms: number; maxMs: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => Number(quantile(sorted, share).toFixed(2));
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
