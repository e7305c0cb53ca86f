import type { ReactNode } from 'react';
import { describeVerdict, type VerificationReport } from '../../protocol/index.ts';
import { Icon } from '../ui/icons.tsx';
import { CheckRing } from './check-ring.tsx';
import { VERDICT } from './texts.ts';

interface VerdictHeroProps {
  readonly report: VerificationReport;
  readonly outcome: 'pass' | 'fail' | 'cannot_check';
  /** Where the findings stand, if there are any: the next thing to read, and so the primary button. */
  readonly showFindings: (() => void) | null;
  readonly actions: ReactNode;
}

const ICONS = { pass: 'pass', fail: 'fail', cannot_check: 'question' } as const;

/** The verdict, as the first thing that is seen: the word, what was checked as a ring, and what to do next. */
export function VerdictHero({ report, outcome, showFindings, actions }: VerdictHeroProps) {
  return (
    <section className={`verdict verdict-hero verdict-${outcome}`} role="status">
      <CheckRing checks={report.checks} />
      <div className="verdict-words">
        <h2>
          <Icon name={ICONS[outcome]} large />
          <span>
            <span className="visually-hidden">{VERDICT.word} </span>
            {describeVerdict(report)}
          </span>
        </h2>
        <p>{report.summary}</p>
        <div className="cluster">
          {showFindings !== null && (
            <button type="button" className="button-primary" onClick={showFindings}>
              {outcome === 'fail' ? VERDICT.showFindings : VERDICT.showOpen}
            </button>
          )}
          {actions}
        </div>
      </div>
    </section>
  );
}
