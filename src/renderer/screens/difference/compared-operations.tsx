import type { ReactNode } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { AgentName } from '../../components/agent-mark.tsx';
import { durationText } from '../../lib/duration.ts';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { COMPARED_OPERATIONS } from './texts.ts';

interface ComparedProps {
  readonly one: StoredOperation;
  readonly other: StoredOperation;
}

const MEMBERS: readonly (readonly [string, (operation: StoredOperation) => string])[] = [
  [COMPARED_OPERATIONS.type, ({ eor }) => eor.operation_type],
  [COMPARED_OPERATIONS.action, ({ eor }) => eor.action],
  [COMPARED_OPERATIONS.subject, ({ eor }) => eor.subject],
];

function SideHead({ operation: { ear } }: { readonly operation: StoredOperation }) {
  return (
    <LedgerLink to="/operations/$operationId" params={{ operationId: ear.operation_id }} data-row>
      {fill(COMPARED_OPERATIONS.recordSeqno, { seqNo: ear.seq_no })}
    </LedgerLink>
  );
}

/** Which two operations are compared, and in what their records differ besides the payload. */
export function ComparedOperations({ one, other }: ComparedProps) {
  const apart = Date.parse(other.eor.issued_at) - Date.parse(one.eor.issued_at);
  return (
    <Panel title={COMPARED_OPERATIONS.records} flush>
      <Table
        heads={[COMPARED_OPERATIONS.member, COMPARED_OPERATIONS.left, COMPARED_OPERATIONS.right]}
        className="compared"
      >
        <Row
          label={COMPARED_OPERATIONS.record}
          one={<SideHead operation={one} />}
          other={<SideHead operation={other} />}
        />
        <Row
          label={COMPARED_OPERATIONS.agent}
          isSame={one.eor.agent_id === other.eor.agent_id}
          one={<AgentName agentId={one.eor.agent_id} />}
          other={<AgentName agentId={other.eor.agent_id} />}
        />
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
          label={COMPARED_OPERATIONS.issuedUtc}
          one={<Time value={one.eor.issued_at} />}
          other={
            <>
              <Time value={other.eor.issued_at} />{' '}
              <span className="muted">
                {durationText(Math.abs(apart))} {apart < 0 ? COMPARED_OPERATIONS.earlier : COMPARED_OPERATIONS.later}
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
      <td className={isSame === true ? 'muted' : undefined}>{isSame === true ? COMPARED_OPERATIONS.same : other}</td>
    </tr>
  );
}
