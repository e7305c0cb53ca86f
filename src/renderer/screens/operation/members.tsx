import type { ReactNode } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { AgentName } from '../../components/agent-mark.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { WrongClock } from '../../components/wrong-clock.tsx';
import { fill } from '../../lib/fill.ts';
import type { Neighbour } from '../../proof/record-steps.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { MEMBERS } from './texts.ts';

interface MembersProps {
  readonly operation: StoredOperation;
  readonly previous: Neighbour;
  readonly next: Neighbour;
  /** Whether what proves the record has come or failed; until then a neighbour that is missing is on its way. */
  readonly isSettled: boolean;
}

interface NeighbourProps {
  readonly neighbour: Neighbour;
  readonly none: string;
  readonly isSettled: boolean;
}

interface MemberProps {
  readonly name: string;
  /** What a button copies; none without. */
  readonly copied?: string;
  /** What is to be known of the value, behind all else. */
  readonly remark?: ReactNode;
  readonly children: ReactNode;
}

function Member({ name, copied, remark, children }: MemberProps) {
  return (
    <>
      <dt>
        <Seen text={name} />
      </dt>
      <dd>
        {children} {copied !== undefined && <CopyButton text={copied} what={name} />} {remark}
      </dd>
    </>
  );
}

function NeighbourLink({ neighbour, none, isSettled }: NeighbourProps) {
  if (neighbour === undefined) return <span className="muted">{isSettled ? MEMBERS.notRead : '…'}</span>;
  if (neighbour === null) return <span className="muted">{none}</span>;
  return (
    <LedgerLink to="/operations/$operationId" params={{ operationId: neighbour.ear.operation_id }}>
      {neighbour.ear.seq_no}
    </LedgerLink>
  );
}

/** The record and its receipt, member by member. */
export function Members({ operation: { eor, ear, epoch }, previous, next, isSettled }: MembersProps) {
  return (
    <Panel title={MEMBERS.title}>
      <dl className="facts">
        <Member name="seq_no">
          <span className="number">{ear.seq_no}</span>
        </Member>
        <Member name="operation_id" copied={eor.operation_id}>
          <span className="code">{eor.operation_id}</span>
        </Member>
        <Member name="agent_id" copied={eor.agent_id}>
          <LedgerLink to="/agents/$agentId" params={{ agentId: eor.agent_id }} className="code">
            <AgentName agentId={eor.agent_id} />
          </LedgerLink>
        </Member>
        <Member name="operation_type">
          <LedgerLink to="/search" search={{ operationType: eor.operation_type }}>
            <Seen text={eor.operation_type} />
          </LedgerLink>
        </Member>
        <Member name="action">
          <Seen text={eor.action} />
        </Member>
        <Member name="subject" copied={eor.subject}>
          <LedgerLink to="/search" search={{ subject: eor.subject }}>
            <Seen text={eor.subject} />
          </LedgerLink>
        </Member>
        <Member name="issued_at" copied={eor.issued_at}>
          <Time value={eor.issued_at} hasZone />
        </Member>
        <Member name="received_at" copied={ear.server_received_at} remark={<WrongClock number={ear.seq_no} hasWords />}>
          <Time value={ear.server_received_at} hasZone />
        </Member>
        <Member name="ttl_ms">
          <span className="number">{eor.ttl_ms}</span>
        </Member>
        <Member name="nonce">
          <span className="code">{eor.nonce}</span>
        </Member>
        <Member name="key">
          <span className="code">{eor.agent_pubkey_kid}</span>
        </Member>
        <Member name="epoch">
          {epoch === null ? (
            <span className="muted">{MEMBERS.notSealed}</span>
          ) : (
            <LedgerLink to="/epochs/$epochId" params={{ epochId: epoch.epoch_id }} search={{ seq: ear.seq_no }}>
              {epoch.epoch_no}
            </LedgerLink>
          )}
        </Member>
        <Member name="chain">
          {fill(MEMBERS.neighbours, {
            previous: <NeighbourLink neighbour={previous} none="none" isSettled={isSettled} />,
            next: <NeighbourLink neighbour={next} none={MEMBERS.noneYet} isSettled={isSettled} />,
          })}
        </Member>
      </dl>
    </Panel>
  );
}
