import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isMembers, type Json, pointerStep, shownPayload } from '../../../protocol/index.ts';
import type { AuditRow } from '../../api/answers.ts';
import { operationOf, useLedger } from '../../api/ledger/ledger.ts';
import { Answer } from '../../components/answer.tsx';
import { useRested } from '../../lib/use-rested.ts';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { count } from '../../ui/time.tsx';
import { type ExportDraft, lines, readRange } from './export-request.ts';
import { MEMBER_PICKER } from './texts.ts';

/** How many of the newest records of the range are looked at for one of each agent and type, and how many members of a payload are listed. */
const NEWEST = 200;
const MOST_MEMBERS = 300;
const MOST_SHOWN = 60;

interface MemberPickerProps {
  readonly draft: ExportDraft;
  readonly onChange: (pointers: string) => void;
}

/** Members to withhold, ticked in the payload of a record of the export instead of typed as pointers. */
export function MemberPicker({ draft, onChange }: MemberPickerProps) {
  const ledger = useLedger();
  const [chosen, setChosen] = useState('');
  const read = readRange(draft);
  const range: object | null = JSON.parse(useRested(JSON.stringify('wrong' in read ? null : read.range)));
  const rows = useQuery({
    ...ledger.q('auditQuery', { body: { ...range, order: 'newest', limit: NEWEST } }),
    enabled: range !== null,
    placeholderData: keepPreviousData,
  });
  const kindOf = (row: AuditRow): string => `${row.operation_type} ${row.agent_id}`;
  const newestOf = new Map((rows.data?.data ?? []).toReversed().map((row) => [kindOf(row), row]));
  const offered = [...newestOf.values()].toSorted((a, b) => (kindOf(a) < kindOf(b) ? -1 : 1));
  const row = offered.find(({ operation_id: id }) => id === chosen) ?? offered[0];
  if (rows.data !== undefined && row === undefined) return <p className="muted">{MEMBER_PICKER.noRecords}</p>;
  return (
    <>
      <SelectField
        label={MEMBER_PICKER.record}
        value={row?.operation_id ?? ''}
        options={offered.map(({ operation_id: value, operation_type: type, agent_id: agent, seq_no: seqNo }) => ({
          value,
          label: MEMBER_PICKER.recordOf(type, agent, seqNo),
        }))}
        onChange={setChosen}
      />
      {row !== undefined && <Payload operationId={row.operation_id} pointers={draft.pointers} onChange={onChange} />}
    </>
  );
}

interface PayloadProps {
  readonly operationId: string;
  readonly pointers: string;
  readonly onChange: (pointers: string) => void;
}

function Payload({ operationId, pointers, onChange }: PayloadProps) {
  const operation = useQuery(operationOf(useLedger(), operationId));
  return (
    <Answer query={operation} what={MEMBER_PICKER.what}>
      {({ eor: { payload }, disclosures }) =>
        payload === undefined ? (
          <p className="muted">{MEMBER_PICKER.noPayload}</p>
        ) : (
          <fieldset className="field member-picker">
            <legend>{MEMBER_PICKER.members}</legend>
            <Members value={shownPayload(payload, disclosures)} pointer="" pointers={pointers} onChange={onChange} />
          </fieldset>
        )
      }
    </Answer>
  );
}

interface MembersProps extends Omit<PayloadProps, 'operationId'> {
  readonly value: { readonly [name: string]: Json };
  readonly pointer: string;
}

/** An array is ticked as a whole: the place of an item says nothing of what stands there in other records. */
function Members({ value, pointer, pointers, onChange }: MembersProps) {
  const ticked = lines(pointers);
  const members = Object.entries(value);
  return (
    <ul className="tree">
      {members.slice(0, MOST_MEMBERS).map(([name, member]) => {
        const at = pointer + pointerStep(name);
        const isTicked = ticked.includes(at);
        const next = isTicked ? ticked.filter((one) => one !== at) : [...ticked, at];
        const shown = isMembers(member) ? '' : JSON.stringify(member);
        return (
          <li key={name}>
            <label className="member">
              <input type="checkbox" checked={isTicked} onChange={() => onChange(next.join('\n'))} />
              <span className="name">
                <Seen text={name} />
              </span>
              <Seen className="muted" text={shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown} />
            </label>
            {isMembers(member) && <Members value={member} pointer={at} pointers={pointers} onChange={onChange} />}
          </li>
        );
      })}
      {members.length > MOST_MEMBERS && (
        <li className="muted">{MEMBER_PICKER.more(count(members.length - MOST_MEMBERS))}</li>
      )}
    </ul>
  );
}
