import { type ParsedArgs, UsageError } from './command.ts';
import { interruptible } from './interruptible.ts';
import { gravestCode, outcomesAsJson, renderOutcome } from './outcome.ts';
import type { Terminal } from './terminal.ts';
import { EffectiveTrust } from './trust.ts';

/** The whole stored ledger instead of a bundle; only then is the service loaded. */
export async function verifyStored(dataDir: string, args: ParsedArgs, terminal: Terminal): Promise<number> {
  for (const flag of ['receipts', 'against', 'checkpoint', 'trust-agent']) {
    if (args.list(flag).length > 0) throw new UsageError(`--${flag} goes with a bundle, not with --data-dir`);
  }
  for (const flag of ['report', 'sign', 'proof', 'made-not-before']) {
    if (args.text(flag) !== undefined) throw new UsageError(`--${flag} goes with a bundle, not with --data-dir`);
  }
  if (args.positionals.length > 0) throw new UsageError('name a bundle or a data folder, not both');
  const { kids: trustedKids } = await EffectiveTrust.of(args);
  const { verifyLedgers } = await import('./verify-ledgers.ts');
  const outcomes = await interruptible((signal) => verifyLedgers(dataDir, trustedKids, terminal, signal));
  if (args.on('json')) terminal.line(outcomesAsJson(outcomes));
  else {
    outcomes.forEach((outcome, index) => {
      if (index > 0) terminal.line();
      renderOutcome(outcome, terminal);
    });
  }
  return gravestCode(outcomes);
}
