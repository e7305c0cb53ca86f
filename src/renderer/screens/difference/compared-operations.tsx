import type { ReactNode } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { durationText } from '../../lib/duration.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

interface ComparedProps {
  readonly one: StoredOperation;
  readonly other: StoredOperation;
}

const MEMBERS: readonly (readonly [string, (operation: StoredOperation) => string])[] = [
  ['Agent', ({ eor }) => eor.agent_id],
  ['Type', ({ eor }) => eor.operation_type],
  ['Action', ({ eor }) => eor.action],
  ['Subject', ({ eor }) => eor.subject],
];

function SideHead({ operation: { ear } }: { readonly operation: StoredOperation }) {
  return (
    <LedgerLink to="/operations/$operationId" params={{ operationId: ear.operation_id }} data-row>
      Record {ear.seq_no}
    </LedgerLink>
  );
}

/** Which two operations are compared, and in what their records differ besides the payload. */
export function ComparedOperations({ one, other }: ComparedProps) {
  const apart = Date.parse(other.eor.issued_at) - Date.parse(one.eor.issued_at);
  return (
    <Panel title="Records" flush>
      <Table heads={['Member', 'Left', 'Right']} className="compared">
        <Row label="Record" one={<SideHead operation={one} />} other={<SideHead operation={other} />} />
        {MEMBERS.map(([name, of]) => (
          <Row
            key={name}
            label={name}
            isSame={of(one) === of(other)}
            one={<Seen text={of(one)} />}
            other={<Seen text={of(other)} />}
          />
        ))}
        <Row
          label="Issued (UTC)"
          one={<Time value={one.eor.issued_at} />}
          other={
            <>
              <Time value={other.eor.issued_at} />{' '}
              <span className="muted">
                {durationText(Math.abs(apart))} {apart < 0 ? 'earlier' : 'later'}
              </span>
            </>
          }
        />
      </Table>
    </Panel>
  );
}

interface RowProps {
  readonly label: string;
  readonly isSame?: boolean;
  readonly one: ReactNode;
  readonly other: ReactNode;
}

function Row({ label, isSame, one, other }: RowProps) {
  return (
    <tr className={isSame === false ? 'is-other' : undefined}>
      <th scope="row">{label}</th>
      <td className={isSame === true ? 'muted' : undefined}>{one}</td>
      <td className={isSame === true ? 'muted' : undefined}>{isSame === true ? 'the same' : other}</td>
    </tr>
  );
}
