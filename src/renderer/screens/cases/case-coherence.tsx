import { useQuery } from '@tanstack/react-query';
import type { Case } from '../../api/answers.ts';
import { caseCoherenceQuery } from '../../api/case-queries.ts';
import { Answer } from '../../components/answer.tsx';
import { plural } from '../../lib/plural.ts';
import { CoherenceFindings } from '../../report/coherence-findings.tsx';
import { CoherenceLamp } from '../../report/coherence-lamp.tsx';
import { type Lamp, lampOf, notCheckedOf } from '../../report/coherence-words.ts';
import { Panel } from '../../ui/panel.tsx';

/** Whether recorded actions fit together, apart from the verdict; nothing where no record is of the payload profile. */
export function CaseCoherence({ of }: { readonly of: Case }) {
  const { coherence } = of;
  const lamp = lampOf(coherence);
  if (lamp === null) return null;
  return (
    <Panel title="Coherence of agent actions" flush>
      {coherence === null ? (
        <div className="panel-body coherence-facts">
          <p>
            <CoherenceLamp lamp={lamp} />
          </p>
          <p>
            An earlier version verified this case and did not check whether the recorded actions of agents fit together.
            Select <strong>Verify again</strong> to check them.
          </p>
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
  const whole = useQuery(caseCoherenceQuery(of.case_id, of.verified_at));
  const total = counts.contradictions + counts.open;
  return (
    <>
      <div className="panel-body coherence-facts">
        <div className="cluster">
          <CoherenceLamp lamp={lamp} />
          <p>
            <strong>
              {plural(counts.contradictions, 'contradiction')}, {plural(counts.open, 'open question')}
            </strong>{' '}
            in {plural(counts.records, 'record')} ({plural(counts.calls, 'action')},{' '}
            {plural(counts.sessions, 'session')})
          </p>
        </div>
        <p className="muted">
          Coherence says whether the actions in these records fit together. Coherence does not change the verdict.
          {of.verdict === 'failed' && ' The verdict is failed: the records may not be what the agents signed.'}
        </p>
        {whole.data !== undefined && <NotChecked gaps={notCheckedOf(whole.data.not_checked)} />}
      </div>
      {total > 0 && (
        <Answer query={whole} what="the findings of coherence">
          {({ findings }) => <CoherenceFindings findings={findings} total={total} />}
        </Answer>
      )}
    </>
  );
}

function NotChecked({ gaps }: { readonly gaps: readonly string[] }) {
  return gaps.length > 0 && <p className="muted">Not checked: {gaps.join('; ')}.</p>;
}
