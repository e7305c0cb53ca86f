import { TIMES_NOTE } from '../../../protocol/index.ts';
import type { Step } from '../../proof/step.ts';
import { summaryOf } from '../../proof/summary.ts';
import { Hero } from '../../report/hero.tsx';
import { Ring } from '../../report/ring.tsx';
import { VERDICT } from '../../report/texts.ts';
import { VERDICT as TEXTS } from './texts.ts';

interface ProofVerdictProps {
  readonly steps: readonly Step[] | null;
  readonly isSealed: boolean;
  /** Whether the record is of an imported case. */
  readonly isCase: boolean;
  /** Whether somebody else than the service says when the record was there. */
  readonly isTimed?: boolean;
  /** Moves to the steps, where the screen has them: what to read next, unless all of them pass. */
  readonly showSteps?: () => void;
}

/** What the steps come to, and what they cannot tell. */
export function ProofVerdict({ steps, isSealed, isCase, isTimed = false, showSteps }: ProofVerdictProps) {
  if (steps === null) {
    return (
      <p className="loading" role="status">
        {TEXTS.gathering}
      </p>
    );
  }
  const { outcome, title, detail } = summaryOf(steps, isSealed || isCase);
  return (
    <Hero
      outcome={outcome}
      label={TEXTS.result}
      title={title}
      ring={<Ring parts={steps} />}
      actions={
        outcome !== 'pass' &&
        showSteps !== undefined && (
          <button type="button" className="button-primary" onClick={showSteps}>
            {outcome === 'fail' ? VERDICT.showFindings : VERDICT.showOpen}
          </button>
        )
      }
    >
      <p>
        {detail} {isCase ? TEXTS.keysOfFile : TEXTS.keyOfService} {!isTimed && TIMES_NOTE}
      </p>
    </Hero>
  );
}
