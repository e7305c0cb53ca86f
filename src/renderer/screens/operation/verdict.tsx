import { Mark } from '../../components/mark.tsx';
import type { Step } from '../../proof/step.ts';
import { summaryOf } from '../../proof/summary.ts';
import { VERDICT } from './texts.ts';

interface ProofVerdictProps {
  readonly steps: readonly Step[] | null;
  readonly isSealed: boolean;
  /** Whether the record is of an imported case. */
  readonly isCase: boolean;
}

/** What the steps come to, and what they cannot tell. */
export function ProofVerdict({ steps, isSealed, isCase }: ProofVerdictProps) {
  if (steps === null) {
    return (
      <p className="loading" role="status">
        {VERDICT.gathering}
      </p>
    );
  }
  const { outcome, title, detail } = summaryOf(steps, isSealed || isCase);
  return (
    <section className={`verdict verdict-${outcome}`} aria-label={VERDICT.result} role="status">
      <Mark outcome={outcome} />
      <div>
        <h2>{title}</h2>
        <p className="muted">
          {detail} {isCase ? VERDICT.keysOfFile : VERDICT.keyOfService}
        </p>
      </div>
    </section>
  );
}
