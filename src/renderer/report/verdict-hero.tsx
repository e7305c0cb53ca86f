import { Fragment, type ReactNode } from 'react';
import { CHECK_TITLES, CHECKS, describeVerdict, type VerificationReport } from '../../protocol/index.ts';
import { Seen } from '../ui/seen.tsx';
import { Hero } from './hero.tsx';
import { Ring } from './ring.tsx';
import { VERDICT } from './texts.ts';

/** What a verification checked, as a ring with a part for each check. */
function CheckRing({ checks }: Pick<VerificationReport, 'checks'>) {
  return <Ring parts={CHECKS.map((name) => ({ id: name, title: CHECK_TITLES[name], outcome: checks[name].status }))} />;
}

interface VerdictHeroProps {
  readonly report: VerificationReport;
  readonly outcome: 'pass' | 'fail' | 'cannot_check';
  /** Where the findings stand, if there are any: the next thing to read, and so the primary button. */
  readonly showFindings: (() => void) | null;
  readonly actions: ReactNode;
  readonly overruled?: Overruled | undefined;
  readonly headline?: ReactNode;
}

/** What makes a verdict on a bundle alone worth nothing, or not the last word yet. */
export interface Overruled {
  readonly outcome: 'fail' | 'pending';
  readonly title: string;
  readonly text: string;
  /** Before the summary of the bundle alone. */
  readonly byItself: string;
}

/** The verdict in one sentence, with the codes of findings in small print. */
function Summary({ text }: { readonly text: string }) {
  return text.split(/ (\([A-Z_]+\))/).map((part, n) =>
    n % 2 === 0 ? (
      <Seen key={part} text={part} />
    ) : (
      <Fragment key={part}>
        {' '}
        <small className="code">{part}</small>
      </Fragment>
    ),
  );
}

/** The verdict, as the first thing that is seen: the word, what was checked as a ring, and what to do next. */
export function VerdictHero({ report, outcome, showFindings, actions, overruled, headline }: VerdictHeroProps) {
  const shown = overruled?.outcome ?? outcome;
  const allPassed = CHECKS.every((name) => ['pass', 'not_applicable'].includes(report.checks[name].status));
  return (
    <Hero
      outcome={shown}
      // A ring of passed checks is green: not next to what is still open, such as pages that nobody compared.
      ring={shown !== 'pending' && (shown === 'pass' || !allPassed) && <CheckRing checks={report.checks} />}
      title={
        <>
          <span className="visually-hidden">{VERDICT.word} </span>
          {overruled?.title ?? describeVerdict(report)}
        </>
      }
      actions={
        <>
          {showFindings !== null && (
            <button type="button" className="button-primary" onClick={showFindings}>
              {outcome === 'fail' ? VERDICT.showFindings : VERDICT.showOpen}
            </button>
          )}
          {actions}
        </>
      }
    >
      {overruled !== undefined && <p>{overruled.text}</p>}
      {headline}
      <p>
        {overruled !== undefined && `${overruled.byItself} `}
        <Summary text={report.summary} />
      </p>
    </Hero>
  );
}
