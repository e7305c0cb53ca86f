import { Mark } from '../../components/mark.tsx';
import type { Step } from '../../proof/step.ts';
import { summaryOf } from '../../proof/summary.ts';

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
        Gathering the keys, the neighbours and the epoch…
      </p>
    );
  }
  const { outcome, title, detail } = summaryOf(steps, isSealed || isCase);
  return (
    <section className={`verdict verdict-${outcome}`} aria-label="Result" role="status">
      <Mark outcome={outcome} />
      <div>
        <h2>{title}</h2>
        <p className="muted">
          {detail}{' '}
          {isCase
            ? 'With the keys that the file brings: whether its issuer is to be trusted, the verdict on the case tells.'
            : 'These checks use this service’s own key. To be sure that it is the right one, compare its fingerprint over a separate channel.'}
        </p>
      </div>
    </section>
  );
}
