import { Mark } from '../../components/mark.tsx';
import type { Step } from '../../proof/step.ts';
import { overall } from '../../proof/step.ts';

interface ProofVerdictProps {
  readonly steps: readonly Step[] | null;
  readonly isSealed: boolean;
  /** Whether the record is of an imported case. */
  readonly isCase: boolean;
}

const TITLES = {
  pass: 'Every step holds',
  fail: 'A step fails',
  not_checked: 'Nothing fails; not everything could be checked yet',
  cannot_check: 'Nothing fails; something cannot be checked here',
  not_applicable: 'Nothing to check',
} as const;

/** What the steps come to, and what they cannot tell. */
export function ProofVerdict({ steps, isSealed, isCase }: ProofVerdictProps) {
  if (steps === null) {
    return (
      <p className="loading" role="status">
        Gathering the keys, the neighbours and the epoch…
      </p>
    );
  }
  const outcome = overall(steps);
  const passed = steps.filter((step) => step.outcome === 'pass').length;
  return (
    <section className={`verdict verdict-${outcome}`} aria-label="Result" role="status">
      <Mark outcome={outcome} />
      <div>
        <h2>{TITLES[outcome]}</h2>
        <p className="muted">
          {passed} of {steps.length} steps pass.{' '}
          {isSealed || isCase ? '' : 'The record waits to be sealed, a minute at most by default. '}
          {isCase
            ? 'With the keys that the file brings: whether its issuer is to be trusted, the verdict on the case tells.'
            : 'Whose key the service signs with, this cannot tell: compare its fingerprint by another way.'}
        </p>
      </div>
    </section>
  );
}
