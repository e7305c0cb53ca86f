import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Comparison } from '../../api/answers.ts';
import { caseLedger, LIVE, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { Failure } from '../../components/answer.tsx';
import { Hash } from '../../components/hash.tsx';
import { DifferenceTable } from '../../ui/difference-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';
import type { ComparisonResult } from './comparison-meaning.ts';
import { recordDifference } from './record-difference.ts';

type Differing = ComparisonResult['first_content_differing'][number];

interface DifferingRecordsProps {
  readonly result: ComparisonResult;
  readonly with: Comparison['with'];
}

const PARTS: Readonly<Record<Differing['parts'][number], string>> = {
  payload: 'payload',
  record: 'other members of the record',
  receipt: 'signature of the receipt',
};

/** The records whose receipts agree and whose content does not, each to be looked at side by side. */
export function DifferingRecords({ result, with: other }: DifferingRecordsProps) {
  const { first_content_differing: listed, content_differing: total } = result;
  if (total === 0) return null;
  const left = total - listed.length;
  return (
    <Panel title={`Records that differ (${count(total)})`} flush>
      <ul className="differing" aria-label="Records that differ">
        {listed.map((record) => (
          <li key={record.seq_no}>
            <Differing record={record} with={other} isOpen={listed.length === 1} />
          </li>
        ))}
        {left > 0 && <li className="muted">… {count(left)} more are not listed.</li>}
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
        <strong className="number">Record {count(seqNo)}</strong>{' '}
        <span className="muted">differs in: {parts.map((part) => PARTS[part]).join(', ')}</span>
      </summary>
      {isOpen && <BothRecords record={record} with={other} />}
    </details>
  );
}

function BothRecords({ record, with: other }: Omit<DifferingProps, 'isOpen'>) {
  const { queries } = useLedger();
  const { seq_no: seqNo } = record;
  const theirs = 'case_id' in other ? caseLedger(other.case_id).queries : LIVE.queries;
  const here = useQuery(queries.operation(record.this.operation_id, seqNo));
  const there = useQuery(theirs.operation(record.other.operation_id, seqNo));
  const error = here.error ?? there.error;
  if (error !== null) return <Failure error={error} />;
  if (here.data === undefined || there.data === undefined) {
    return (
      <p className="loading" role="status">
        Loading both records…
      </p>
    );
  }
  return (
    <div className="stack differing-record">
      <DifferenceTable
        difference={recordDifference(here.data, there.data)}
        one="In this case"
        other={'case_id' in other ? 'In the other case' : 'In the live ledger'}
      />
      {record.parts.includes('payload') && <PayloadDigests record={record} />}
      <p>
        <LedgerLink
          to="/operations/$operationId"
          params={{ operationId: record.this.operation_id }}
          search={{ seq: seqNo }}
          data-row
        >
          Open the record of this case
        </LedgerLink>
      </p>
    </div>
  );
}

function PayloadDigests({ record }: { readonly record: Differing }) {
  return (
    <dl className="facts">
      <dt>Digest of this payload</dt>
      <dd>
        <Hash value={record.this.payload_digest ?? '–'} what="digest of this payload" />
      </dd>
      <dt>Digest of the other</dt>
      <dd>
        <Hash value={record.other.payload_digest ?? '–'} what="digest of the other payload" />
      </dd>
    </dl>
  );
}
