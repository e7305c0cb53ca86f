import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import { type BundleRecord, canonicalize, type Json, type VerificationReport } from '../../../protocol/index.ts';
import { setDroppedFiles } from '../../api/dropped-files.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { Mark } from '../../components/mark.tsx';
import { Screen } from '../../components/screen.tsx';
import { WindowReport } from '../../report/window-report.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { count } from '../../ui/time.tsx';
import { useVerification } from '../../verification/use-verification.ts';
import { firstDamagedRecord, type ShownMember, shownMembers } from './shown-members.ts';
import { SAMPLE } from './texts.ts';

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

interface ForgedRecordProps {
  readonly sample: Sample;
  readonly report: VerificationReport;
}

/** The record that the check names, member by member: what the file shows, and what the agent signed. */
function ForgedRecord({ sample: { file, about }, report }: ForgedRecordProps) {
  const [record, setRecord] = useState<BundleRecord | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void firstDamagedRecord(file, report).then((found) => {
      if (isCurrent) setRecord(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [file, report]);
  if (record === null) return null;
  const { eor, ear } = record;
  const members = shownMembers(record, about.originals);
  return (
    <Panel title={SAMPLE.forged(ear.seq_no)} flush>
      <p className="panel-body">
        <Seen text={SAMPLE.forgedLead(eor.agent_id, eor.action)} />
      </p>
      <Table heads={[SAMPLE.member, SAMPLE.shown, SAMPLE.signed]} className="forged-members">
        {members.map((member) => (
          <tr key={member.name} className={member.isSigned ? undefined : 'is-forged'}>
            <th scope="row">
              <Seen text={member.name} />
            </th>
            <td className="wraps">
              <Checked value={member.value} isSigned={member.isSigned} />
            </td>
            <td className="wraps">
              <Signed member={member} />
            </td>
          </tr>
        ))}
      </Table>
      <p className="panel-body muted">{SAMPLE.howKnown}</p>
    </Panel>
  );
}

function Value({ value }: { readonly value: Json }) {
  return (
    <span className="code">
      <Seen text={typeof value === 'string' ? value : canonicalize(value)} lines />
    </span>
  );
}

/** A value, and whether the agent signed its digest. */
function Checked({ value, isSigned }: { readonly value: Json; readonly isSigned: boolean }) {
  return (
    <>
      <Value value={value} />{' '}
      <Mark outcome={isSigned ? 'pass' : 'fail'} word={isSigned ? SAMPLE.matches : SAMPLE.differs} />
    </>
  );
}

function Signed({ member: { isSigned, original } }: { readonly member: ShownMember }) {
  if (isSigned) return <span className="muted">{SAMPLE.same}</span>;
  if (original === null) return <span className="muted">{SAMPLE.unknown}</span>;
  return <Checked value={original.value} isSigned={original.isSigned} />;
}

const BUNDLE = new URL('../../../../resources/sample/airline-agents.csbundle.gz', import.meta.url);
const ABOUT = new URL('../../../../resources/sample/sample.json', import.meta.url);

/** What is known of the sample besides its file: who signed it, and what was altered. */
const about = z.strictObject({
  service_kid: z.string(),
  records: z.int(),
  agents: z.int(),
  forged_seq_no: z.int(),
  originals: z.record(z.string(), z.json()),
});
type AboutSample = z.infer<typeof about>;

/** The sample as it was loaded. */
interface Sample {
  readonly file: File;
  readonly about: AboutSample;
}

async function fetched(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  return response;
}

async function load(): Promise<Sample> {
  const [bundle, said] = await Promise.all([fetched(BUNDLE), fetched(ABOUT)]);
  const blob = await bundle.blob();
  return { file: new File([blob], 'sample-airline-agents.csbundle'), about: about.parse(await said.json()) };
}

/** Loads the sample that comes with the page, and verifies it in a thread of this window as any other file. */
function useSample() {
  const { verification, start } = useVerification();
  const [sample, setSample] = useState<Sample | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const check = useCallback(async () => {
    setUnreadable(false);
    try {
      const loaded = await load();
      setSample(loaded);
      start({ bundle: loaded.file, receipts: [], trustedKids: [loaded.about.service_kid] });
    } catch {
      // Whatever it is, the screen says that the file cannot be read, and offers to try again.
      setUnreadable(true);
    }
  }, [start]);
  useEffect(() => void check(), [check]);
  return { sample, verification, isUnreadable: isUnreadable || verification.state === 'unreadable', check };
}
