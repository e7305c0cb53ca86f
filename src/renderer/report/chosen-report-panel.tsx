import { type ChosenReportJudgement, fingerprintGroups } from '../../protocol/index.ts';
import { Mark } from '../components/mark.tsx';
import { plural } from '../lib/plural.ts';
import { Panel } from '../ui/panel.tsx';
import { Seen } from '../ui/seen.tsx';
import { Time } from '../ui/time.tsx';
import { VERDICT_OUTCOMES } from './report.tsx';

const SIGNED: Readonly<Record<ChosenReportJudgement['report']['signature'], string>> = {
  none: 'Nobody: title, question, comments and order are nobody’s signed word',
  valid: 'The key with the fingerprint',
  invalid: 'Not valid, by the key with the fingerprint',
};

/** What a report of chosen records says of itself; whether its records are proven stands below. */
export function ChosenReportPanel({ judgement }: { readonly judgement: ChosenReportJudgement }) {
  const { report, problems, verdict } = judgement;
  const { title, made_at, records, digest, signature, examiner_kid: kid } = report;
  return (
    <Panel
      title="Report of chosen records"
      actions={<Mark outcome={VERDICT_OUTCOMES[verdict]} word={`Report ${verdict}`} />}
    >
      <div className="stack">
        {problems.map(({ code, message }) => (
          <p key={code} role="alert">
            <Mark outcome="fail" word={code} /> <Seen text={message} />
          </p>
        ))}
        <dl className="facts">
          <dt>Title</dt>
          <dd>
            <Seen text={title} />
          </dd>
          <dt>Made</dt>
          <dd>
            <Time value={made_at} />
          </dd>
          <dt>Shows</dt>
          <dd>{plural(records, 'record')}</dd>
          <dt>Signed by</dt>
          <dd>
            {SIGNED[signature]} {kid !== null && <span className="code">{fingerprintGroups(kid).join(' ')}</span>}
          </dd>
          <dt>Digest</dt>
          <dd className="code">{digest}</dd>
        </dl>
      </div>
    </Panel>
  );
}
