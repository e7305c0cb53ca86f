import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/index.ts';
import { fill } from '../lib/fill.ts';
import { CoherenceLamp } from './coherence-lamp.tsx';
import { type CoherenceGaps, type CoherenceSummary, lampOf, notCheckedOf } from './coherence-words.ts';
import { COHERENCE_PANEL } from './texts.ts';

type Counts = AnswerOf<'caseCoherence'>['counts'];

/** How many findings there are. */
export function findingsIn({ contradictions, open, notes }: Counts): number {
  return contradictions + open + notes;
}

interface CoherenceBodyProps {
  readonly summary: CoherenceSummary & { readonly counts: Counts };
  /** Undefined until it is known. */
  readonly gaps: CoherenceGaps | undefined;
  /** What else is to be said of the ledger at hand. */
  readonly besides: string;
  /** The findings. */
  readonly children: ReactNode;
}

/** Whether recorded actions fit together: of a case and of the live ledger in the same words. */
export function CoherenceBody({ summary, gaps, besides, children }: CoherenceBodyProps) {
  const { counts } = summary;
  const lamp = lampOf(summary);
  const notChecked = gaps === undefined ? [] : notCheckedOf(gaps);
  return (
    <>
      <div className="panel-body coherence-facts">
        <div className="cluster">
          {lamp !== null && <CoherenceLamp lamp={lamp} />}
          <p>
            {fill(COHERENCE_PANEL.basis(counts.records, counts.calls, counts.sessions), {
              found: (
                <strong>
                  {COHERENCE_PANEL.contradiction(counts.contradictions)}, {COHERENCE_PANEL.openQuestion(counts.open)}
                  {COHERENCE_PANEL.note(counts.notes)}
                </strong>
              ),
            })}
          </p>
        </div>
        <p className="muted">
          {COHERENCE_PANEL.explained}
          {besides !== '' && ` ${besides}`}
        </p>
        {notChecked.length > 0 && <p className="muted">{COHERENCE_PANEL.notChecked(notChecked.join('; '))}</p>}
      </div>
      {findingsIn(counts) > 0 && children}
    </>
  );
}
