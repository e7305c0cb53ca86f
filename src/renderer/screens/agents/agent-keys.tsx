import { useState } from 'react';
import { LIMITS } from '../../../contract/index.ts';
import type { AgentKeys as Keys } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { Confirm } from '../../components/confirm.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { StateMark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { AddKey } from './add-key.tsx';
import { personsOwn } from './integration-names.ts';
import { useAgentChanged } from './use-agent-changed.ts';

interface AgentKeysProps {
  readonly agentId: string;
  /** Its integration type. */
  readonly type: string;
  readonly keys: Keys;
}

/** The keys of an agent: what each is, a further one, and the end of one. */
export function AgentKeys({ agentId, type, keys }: AgentKeysProps) {
  const isLive = useLedger().caseId === null;
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<string | null>(null);
  const isFull = keys.length >= LIMITS.keysPerAgent;
  return (
    <Panel
      title={`Keys (${count(keys.length)})`}
      flush
      actions={
        isLive && (
          <PermittedButton
            call="addKey"
            className="button-small"
            reason={
              personsOwn(type) ??
              (isFull ? `An agent has ${LIMITS.keysPerAgent} keys at most, revoked ones among them.` : null)
            }
            onClick={() => setAdding(true)}
          >
            Add a key…
          </PermittedButton>
        )
      }
    >
      <Table heads={['kid', 'State', 'Public key', 'Added (UTC)', 'Revoked (UTC)', ACTIONS]} className="keys-table">
        {keys.map((key) => (
          <tr key={key.kid}>
            <td className="code" title={key.kid}>
              <Seen text={key.kid} />
            </td>
            <td>
              <StateMark status={key.status} />
            </td>
            <td className="code">
              {key.public_key} <CopyButton text={key.public_key} what="public key" />
            </td>
            <td>
              <Time value={key.created_at} />
            </td>
            <td>{key.retired_at === null ? <span className="muted">–</span> : <Time value={key.retired_at} />}</td>
            <td className="row-actions">
              {isLive && key.status === 'active' && (
                <PermittedButton call="revokeKey" aria-label={`Revoke ${key.kid}`} onClick={() => setLeaving(key.kid)}>
                  Revoke…
                </PermittedButton>
              )}
            </td>
          </tr>
        ))}
      </Table>
      <AddKey agentId={agentId} taken={keys.map(({ kid }) => kid)} open={isAdding} onClose={() => setAdding(false)} />
      <RevokeKey
        agentId={agentId}
        kid={leaving}
        isLast={keys.filter(({ status }) => status === 'active').length === 1}
        onClose={() => setLeaving(null)}
      />
    </Panel>
  );
}

interface RevokeKeyProps {
  readonly agentId: string;
  /** The key; null where none is being revoked. */
  readonly kid: string | null;
  /** Whether it is the agent's last active one. */
  readonly isLast: boolean;
  readonly onClose: () => void;
}

function RevokeKey({ agentId, kid, isLast, onClose }: RevokeKeyProps) {
  const changed = useAgentChanged();
  return (
    <Confirm
      open={kid !== null}
      onClose={onClose}
      title={`Revoke a key of ${agentId}`}
      verb="Revoke for good"
      isDestructive
      wantsReason
      word={{ label: 'Type the name of the key to confirm', text: kid ?? '' }}
      act={async (reason) => {
        await call('revokeKey', { params: { agent_id: agentId }, body: { kid, reason } });
        toast(`${kid} is revoked.`);
        await changed();
      }}
    >
      <p>
        The key is{' '}
        <span className="code">
          <Seen text={kid ?? ''} />
        </span>
      </p>
      <ul className="bullets">
        <li>What is signed with it from now on is refused. A revoked key never becomes active again.</li>
        <li>
          It undoes nothing: what was accepted before stays in the ledger and verifies, whoever signed it. If the key
          was stolen, look at what it signed since.
        </li>
        {isLast && <li>It is the last active key: the agent can submit nothing until another one is added.</li>}
      </ul>
    </Confirm>
  );
}
