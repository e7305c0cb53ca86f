import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Comparison } from '../../api/answers.ts';
import { ledgerOf, operationOf, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { Failure } from '../../components/answer.tsx';
import { Hash } from '../../components/hash.tsx';
import { DifferenceTable } from '../../ui/difference-table.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { type ComparisonResult, changedText } from './comparison-meaning.ts';
import { recordDifference } from './record-difference.ts';
import { DIFFERING_RECORDS } from './texts.ts';

type Differing = ComparisonResult['first_content_differing'][number];

interface DifferingRecordsProps {
  readonly result: ComparisonResult;
  readonly with: Comparison['with'];
}

const PARTS: Readonly<Record<Differing['parts'][number], string>> = {
  payload: 'payload',
  record: DIFFERING_RECORDS.partRecord,
  receipt: DIFFERING_RECORDS.partReceipt,
};

/** The records whose receipts agree and whose content does not, each to be looked at side by side. */
export function DifferingRecords({ result, with: other }: DifferingRecordsProps) {
  const { first_content_differing: listed, content_differing: total } = result;
  if (total === 0) return null;
  const left = total - listed.length;
  return (
    <Panel title={DIFFERING_RECORDS.titleCounted(count(total))} flush>
      <ul className="differing" aria-label={DIFFERING_RECORDS.title}>
        {listed.map((record) => (
          <li key={record.seq_no}>
            <Differing record={record} with={other} isOpen={listed.length === 1} />
          </li>
        ))}
        {left > 0 && <li className="muted">{DIFFERING_RECORDS.moreLeftOut(count(left))}</li>}
      </ul>
    </Panel>
  );
}

interface DifferingProps {
  readonly record: Differing;
  readonly with: Comparison['with'];
  readonly isOpen: boolean;
}

function Differing({ record, with: other, isOpen: isOpenAtFirst }: DifferingProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { seq_no: seqNo, parts } = record;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>
          <Seen text={changedText(record) ?? DIFFERING_RECORDS.record(seqNo)} />
        </strong>{' '}
        <span className="muted">{DIFFERING_RECORDS.differsIn(parts.map((part) => PARTS[part]).join(', '))}</span>
      </summary>
      {isOpen && <BothRecords record={record} with={other} />}
    </details>
  );
}

function BothRecords({ record, with: other }: Omit<DifferingProps, 'isOpen'>) {
  const ours = useLedger();
  const { seq_no: seqNo } = record;
  const theirs = ledgerOf('case_id' in other ? other.case_id : null);
  const here = useQuery(operationOf(ours, record.this.operation_id, seqNo));
  const there = useQuery(operationOf(theirs, record.other.operation_id, seqNo));
  const error = here.error ?? there.error;
  if (error !== null) return <Failure error={error} />;
  if (here.data === undefined || there.data === undefined) {
    return (
      <p className="loading" role="status">
        {DIFFERING_RECORDS.loading}
      </p>
    );
  }
  return (
    <div className="stack differing-record">
      <DifferenceTable
        difference={recordDifference(here.data, there.data)}
        one={DIFFERING_RECORDS.here}
        other={'case_id' in other ? DIFFERING_RECORDS.inOtherCase : DIFFERING_RECORDS.inLiveLedger}
      />
      {record.parts.includes('payload') && <PayloadDigests record={record} />}
      <p>
        <LedgerLink
          to="/operations/$operationId"
          params={{ operationId: record.this.operation_id }}
          search={{ seq: seqNo }}
          data-row
        >
          {DIFFERING_RECORDS.openRecord}
        </LedgerLink>
      </p>
    </div>
  );
}

function PayloadDigests({ record }: { readonly record: Differing }) {
  return (
    <FactList
      of={{
        [DIFFERING_RECORDS.digestHere]: (
          <Hash value={record.this.payload_digest ?? '–'} what={DIFFERING_RECORDS.digestHereWhat} />
        ),
        [DIFFERING_RECORDS.digestOther]: (
          <Hash value={record.other.payload_digest ?? '–'} what={DIFFERING_RECORDS.digestOtherWhat} />
        ),
      }}
    />
  );
}
