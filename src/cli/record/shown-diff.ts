import { printable } from '../printable.ts';

/** A member whose name says that its value is nobody's business: of JSON or TOML. */
const SECRET =
  /("?[\w.-]*(?:key|token|secret|password|authorization)[\w.-]*"?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,}\]]+)/gi;

/** A difference for a terminal, and for logs: what a configuration has next to our part may be secret. */
export function shownDiff(diff: string): string {
  const lines = diff.split('\n').map((line) => (line.startsWith('+') ? line : line.replace(SECRET, '$1…')));
  return printable(lines.join('\n'), { lines: true });
}
