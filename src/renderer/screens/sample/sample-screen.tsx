import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { setDroppedFiles } from '../../api/dropped-files.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { Screen } from '../../components/screen.tsx';
import { WindowReport } from '../../report/window-report.tsx';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';
import { ForgedRecord } from './forged-record.tsx';
import { SAMPLE } from './texts.ts';
import { type Sample, useSample } from './use-sample.ts';

/** The sample case, for anybody: it is checked as soon as it is opened, and shows which record was forged. */
export function SampleScreen() {
  const { sample, verification, isUnreadable, check } = useSample();
  const { data: session } = useQuery(sessionQuery);
  return (
    <Screen
      name={SAMPLE.name}
      title={SAMPLE.name}
      actions={
        <Link to="/dashboard" search={{}} className="button">
          {session == null ? SAMPLE.back : SAMPLE.dashboard}
        </Link>
      }
    >
      <div className="stack">
        <p className="sample-note" role="note">
          <strong className="sample-tag">{SAMPLE.badge}</strong> {SAMPLE.tagText}
        </p>
        {isUnreadable && (
          <div className="failure" role="alert">
            <p>{SAMPLE.failed}</p>
            <button type="button" onClick={() => void check()}>
              {SAMPLE.retry}
            </button>
          </div>
        )}
        {!isUnreadable && verification.state !== 'done' && (
          <div className="panel panel-body field" role="status">
            <strong>{SAMPLE.loading}</strong>
            <progress
              aria-label={SAMPLE.loading}
              max={sample?.about.records ?? 1}
              value={verification.state === 'running' ? verification.records : 0}
            />
            {sample !== null && verification.state === 'running' && (
              <span className="muted number">
                {SAMPLE.records(count(verification.records), count(sample.about.records))}
              </span>
            )}
          </div>
        )}
        {sample !== null && verification.state === 'done' && (
          <WindowReport
            report={verification.report}
            pages={verification.pages}
            file={verification.file}
            lead={
              <>
                <ForgedRecord sample={sample} report={verification.report} />
                <div className="columns">
                  <Panel title={SAMPLE.provenTitle}>
                    <ul className="bullets">
                      {SAMPLE.proven.map((point) => (
                        <li key={point}>{point}</li>
                      ))}
                    </ul>
                  </Panel>
                  <Next sample={sample} />
                </div>
              </>
            }
          />
        )}
      </div>
    </Screen>
  );
}

/** Where to go from here. */
function Next({ sample }: { readonly sample: Sample }) {
  const navigate = useNavigate();
  const { data: session } = useQuery(sessionQuery);
  const { data: workstation } = useQuery({ ...q('workstation'), enabled: session === null });
  const { data: state } = useQuery(q('setUpState'));
  const keepsCases = session != null || workstation?.active === true;
  const investigate = (): void => {
    setDroppedFiles([sample.file]);
    void navigate({ to: '/cases/new' });
  };
  return (
    <Panel title={SAMPLE.next}>
      <div className="stack sample-next">
        {session != null ? (
          <Link to="/record-program" search={{}} className="button">
            {SAMPLE.record}
          </Link>
        ) : (
          state?.has_home === false && (
            <Link to="/set-up" search={{ next: 'record' }} className="button">
              {SAMPLE.record}
            </Link>
          )
        )}
        {keepsCases && (
          <button type="button" onClick={investigate}>
            {SAMPLE.asCase}
          </button>
        )}
        <Link to={keepsCases ? '/cases/new' : '/verify'} className="button">
          {SAMPLE.check}
        </Link>
        <p className="muted">{SAMPLE.source}</p>
      </div>
    </Panel>
  );
}
