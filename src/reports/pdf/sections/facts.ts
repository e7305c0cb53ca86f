import type { Flow } from '../layout/flow.ts';
import { type Cell, TableWriter } from '../layout/table.ts';

/** A table of two columns without titles: what, and its value. What has no value is left out. */
export function writeFacts(
  flow: Flow,
  facts: readonly (readonly [name: string, value: string | Cell | null | undefined])[],
  { nameShare = 0.22 } = {},
): void {
  const table = new TableWriter(flow, [
    { title: '', share: nameShare, heads: true },
    { title: '', share: 1 - nameShare },
  ]);
  for (const [name, value] of facts) if (value !== null && value !== undefined) table.row([name, value]);
  table.end();
}
