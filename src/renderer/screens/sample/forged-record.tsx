import { useEffect, useState } from 'react';
import { type BundleRecord, canonicalize, type Json, type VerificationReport } from '../../../protocol/index.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { count } from '../../ui/time.tsx';
import { firstDamagedRecord, type ShownMember, shownMembers } from './shown-members.ts';
import { SAMPLE } from './texts.ts';
import type { Sample } from './use-sample.ts';

interface ForgedRecordProps {
  readonly sample: Sample;
  readonly report: VerificationReport;
}

/** The record that the check names, member by member: what the file shows, and what the agent signed. */
export function ForgedRecord({ sample: { file, about }, report }: ForgedRecordProps) {
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
    <Panel title={SAMPLE.forged(count(ear.seq_no))} flush>
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
