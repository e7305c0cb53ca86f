import type { IssuerChange } from '../node/trust/index.ts';
import { fingerprintDigits } from '../protocol/index.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';
import { describeOrganization } from './trust-basis.ts';

function groups(kid: string): string {
  return printable(fingerprintDigits(kid).join(' '));
}

/** The warning that another key signs for an organization than before: among the results, and not to be overlooked. */
export function renderIssuerChange({ org_id, org_name, kid, known, message }: IssuerChange, terminal: Terminal): void {
  const loud = (text: string): void => terminal.line(terminal.style(['bold', 'red'], `  ${text}`));
  terminal.line();
  loud('!! THE ISSUER CHANGED !!');
  terminal.line(`  organization  ${describeOrganization({ org_id, org_name })}`);
  terminal.line(`  signed now    ${groups(kid)}`);
  for (const before of known) terminal.line(`  before        ${groups(before.kid)}, last on ${before.last_seen}`);
  terminal.wrapped(`  ${message}`, 2);
}
