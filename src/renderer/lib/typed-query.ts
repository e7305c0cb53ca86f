import { parseGroupedQuery } from '../../actions/index.ts';
import { addressOfLine } from './grouping-address.ts';
import type { AuditSearch } from './search-params.ts';

/** The search that a typed line asks for; null where it cannot be read. What reads it is large: it is loaded once somebody typed. */
export function searchOfTyped(line: string, zone: string): AuditSearch | null {
  const read = parseGroupedQuery(line, { now: Date.now(), zone });
  return read.ok ? addressOfLine(read) : null;
}
