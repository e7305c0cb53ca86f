import { describeStatement, factsOf, type SignedStatement } from '../protocol/index.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** The signed statements that prove a finding, each with its signature. */
export function renderEvidence(evidence: readonly SignedStatement[], terminal: Terminal): void {
  for (const statement of evidence) {
    const { kid, signature } = factsOf(statement);
    terminal.line(`       signed    ${printable(describeStatement(statement))}, by the key ${printable(kid)}`);
    terminal.line(`                 signature ${signature}`);
  }
}
