import { factsOf, type SignedStatement, type StatementFacts } from '../protocol/index.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

const ABOUT: Record<StatementFacts['kind'], (statement: StatementFacts) => string> = {
  receipt: ({ number }) => `receipt for sequence number ${number}`,
  epoch: ({ number }) => `epoch ${number}`,
  log_head: ({ number }) => `manifest over a ledger that ends at sequence number ${number}`,
};

/** The signed statements that prove a finding, each with its signature. */
export function renderEvidence(evidence: readonly SignedStatement[], terminal: Terminal): void {
  for (const statement of evidence) {
    const facts = factsOf(statement);
    terminal.line(`       signed    ${ABOUT[facts.kind](facts)}, by the key ${printable(facts.kid)}`);
    terminal.line(`                 signature ${facts.signature}`);
  }
}
