import { useQuery } from '@tanstack/react-query';
import type { Case } from '../../api/answers.ts';
import { asOfVerification } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { fill } from '../../lib/fill.ts';
import { CoherenceFindings } from '../../report/coherence-findings.tsx';
import { CoherenceLamp } from '../../report/coherence-lamp.tsx';
import { CoherenceBody, findingsIn } from '../../report/coherence-panel.tsx';
import { lampOf } from '../../report/coherence-words.ts';
import { COHERENCE_PANEL } from '../../report/texts.ts';
import { Panel } from '../../ui/panel.tsx';
import { CASE_COHERENCE } from './texts.ts';

/** Whether recorded actions fit together, apart from the verdict; nothing where no record is of the payload profile. */
export function CaseCoherence({ of }: { readonly of: Case }) {
  const { coherence } = of;
  const lamp = lampOf(coherence);
  if (lamp === null) return null;
  return (
    <Panel title={COHERENCE_PANEL.title} flush>
      {coherence === null ? (
        <div className="panel-body coherence-facts">
          <p>
            <CoherenceLamp lamp={lamp} />
          </p>
          <p>{fill(CASE_COHERENCE.notCheckedThen, { verify: <strong>{CASE_COHERENCE.verifyAgain}</strong> })}</p>
        </div>
      ) : (
        <Checked of={of} coherence={coherence} />
      )}
    </Panel>
  );
}

interface CheckedProps {
  readonly of: Case;
  readonly coherence: NonNullable<Case['coherence']>;
}

function Checked({ of, coherence }: CheckedProps) {
  const whole = useQuery(asOfVerification('caseCoherence', of.case_id, of.verified_at));
  return (
    <CoherenceBody
      summary={coherence}
      gaps={whole.data?.not_checked}
      besides={of.verdict === 'failed' ? CASE_COHERENCE.verdictFailed : ''}
    >
      <Answer query={whole} what={COHERENCE_PANEL.what}>
        {({ findings }) => <CoherenceFindings findings={findings} total={findingsIn(coherence.counts)} />}
      </Answer>
    </CoherenceBody>
  );
}
