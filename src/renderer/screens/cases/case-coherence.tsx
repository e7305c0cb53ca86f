import { useQuery } from '@tanstack/react-query';
import type { Case } from '../../api/answers.ts';
import { asOfVerification } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { fill } from '../../lib/fill.ts';
import { CoherenceFindings } from '../../report/coherence-findings.tsx';
import { CoherenceLamp } from '../../report/coherence-lamp.tsx';
import { type Lamp, lampOf, notCheckedOf } from '../../report/coherence-words.ts';
import { Panel } from '../../ui/panel.tsx';
import { CASE_COHERENCE } from './texts.ts';

/** Whether recorded actions fit together, apart from the verdict; nothing where no record is of the payload profile. */
export function CaseCoherence({ of }: { readonly of: Case }) {
  const { coherence } = of;
  const lamp = lampOf(coherence);
  if (lamp === null) return null;
  return (
    <Panel title={CASE_COHERENCE.title} flush>
      {coherence === null ? (
        <div className="panel-body coherence-facts">
          <p>
            <CoherenceLamp lamp={lamp} />
          </p>
          <p>{fill(CASE_COHERENCE.notCheckedThen, { verify: <strong>{CASE_COHERENCE.verifyAgain}</strong> })}</p>
        </div>
      ) : (
        <Checked of={of} coherence={coherence} lamp={lamp} />
      )}
    </Panel>
  );
}

interface CheckedProps {
  readonly of: Case;
  readonly coherence: NonNullable<Case['coherence']>;
  readonly lamp: Lamp;
}

function Checked({ of, coherence: { counts }, lamp }: CheckedProps) {
  const whole = useQuery(asOfVerification('caseCoherence', of.case_id, of.verified_at));
  const total = counts.contradictions + counts.open;
  return (
    <>
      <div className="panel-body coherence-facts">
        <div className="cluster">
          <CoherenceLamp lamp={lamp} />
          <p>
            {fill(CASE_COHERENCE.basis(counts.records, counts.calls, counts.sessions), {
              found: (
                <strong>
                  {CASE_COHERENCE.contradiction(counts.contradictions)}, {CASE_COHERENCE.openQuestion(counts.open)}
                </strong>
              ),
            })}
          </p>
        </div>
        <p className="muted">
          {CASE_COHERENCE.explained}
          {of.verdict === 'failed' && ` ${CASE_COHERENCE.verdictFailed}`}
        </p>
        {whole.data !== undefined && <NotChecked gaps={notCheckedOf(whole.data.not_checked)} />}
      </div>
      {total > 0 && (
        <Answer query={whole} what={CASE_COHERENCE.what}>
          {({ findings }) => <CoherenceFindings findings={findings} total={total} />}
        </Answer>
      )}
    </>
  );
}

function NotChecked({ gaps }: { readonly gaps: readonly string[] }) {
  return gaps.length > 0 && <p className="muted">{CASE_COHERENCE.notChecked(gaps.join('; '))}</p>;
}
