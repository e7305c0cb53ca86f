import { useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import type { AgentKeys as Keys } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { agentChanged } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { StateMark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { keyFileName } from '../../snippets/snippet.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { personsOwn } from './integration-names.ts';
import { draftBody, draftProblem, emptyKeyDraft, type KeyDraft } from './key-draft.ts';
import { KeyFields } from './key-fields.tsx';
import { ADD_KEY, AGENT_KEYS } from './texts.ts';

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
  const isLast = keys.filter(({ status }) => status === 'active').length === 1;
  const isFull = keys.length >= LIMITS.keysPerAgent;
  return (
    <Panel
      title={AGENT_KEYS.titleOf(count(keys.length))}
      flush
      actions={
        isLive && (
          <PermittedButton
            call="addKey"
            className="button-small"
            reason={personsOwn(type) ?? (isFull ? AGENT_KEYS.limit(LIMITS.keysPerAgent) : null)}
            onClick={() => setAdding(true)}
          >
            {AGENT_KEYS.addKey}
          </PermittedButton>
        )
      }
    >
      <Table
        heads={[
          AGENT_KEYS.kid,
          AGENT_KEYS.state,
          AGENT_KEYS.publicKey,
          AGENT_KEYS.addedUtc,
          AGENT_KEYS.revokedUtc,
          ACTIONS,
        ]}
      >
        {keys.map((key) => (
          <tr key={key.kid}>
            <td className="code" title={key.kid}>
              <Seen text={key.kid} />
            </td>
            <td>
              <StateMark status={key.status} />
            </td>
            <td className="code">
              {key.public_key} <CopyButton text={key.public_key} what={AGENT_KEYS.publicKeyCopied} />
            </td>
            <td>
              <Time value={key.created_at} />
            </td>
            <td>{key.retired_at === null ? <span className="muted">–</span> : <Time value={key.retired_at} />}</td>
            <td className="row-actions">
              {isLive && key.status === 'active' && (
                <PermittedButton
                  call="revokeKey"
                  aria-label={AGENT_KEYS.revokeNamed(key.kid)}
                  onClick={() => askToRevoke(agentId, key.kid, isLast)}
                >
                  {AGENT_KEYS.revoke}
                </PermittedButton>
              )}
            </td>
          </tr>
        ))}
      </Table>
      <AddKey agentId={agentId} taken={keys.map(({ kid }) => kid)} open={isAdding} onClose={() => setAdding(false)} />
    </Panel>
  );
}

/** @param isLast whether it is the agent's last active one */
function askToRevoke(agentId: string, kid: string, isLast: boolean): void {
  askBefore({
    title: AGENT_KEYS.revokeTitle(agentId),
    verb: AGENT_KEYS.revokeKeyPermanently,
    isDestructive: true,
    wantsReason: true,
    word: { label: AGENT_KEYS.typeName, text: kid },
    act: async (reason) => {
      await call('revokeKey', { params: { agent_id: agentId }, body: { kid, reason } });
      toast(AGENT_KEYS.revoked(kid));
      await agentChanged();
    },
    children: (
      <>
        <p>
          {fill(AGENT_KEYS.youRevoke, {
            kid: (
              <span className="code">
                <Seen text={kid} />
              </span>
            ),
          })}
        </p>
        <ul className="bullets">
          <li>{AGENT_KEYS.effect}</li>
          <li>{AGENT_KEYS.earlierStay}</li>
          {isLast && <li>{AGENT_KEYS.lastKey}</li>}
        </ul>
      </>
    ),
  });
}

interface AddKeyProps {
  readonly agentId: string;
  /** The names of the keys that the agent has had. */
  readonly taken: readonly string[];
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Adds a key to an agent. What was made or typed stays while the window over the page is closed. */
function AddKey({ agentId, taken, open, onClose }: AddKeyProps) {
  const [draft, setDraft] = useState(() => emptyKeyDraft(freeName(taken)));
  const add = async (): Promise<void> => {
    if (problem !== null) return;
    const { key } = await call('addKey', { params: { agent_id: agentId }, body: draftBody(draft) });
    toast(ADD_KEY.added(key.kid));
    setDraft(emptyKeyDraft(freeName([...taken, key.kid])));
    onClose();
    await agentChanged();
  };
  const change = (part: Partial<KeyDraft>): void =>
    // A private key that was saved under the old name is not there under the new one.
    setDraft((before) => ({ ...before, ...(part.kid === undefined ? {} : { isSaved: false }), ...part }));
  const problem = draftProblem(draft);
  return (
    <Dialog open={open} onClose={onClose} title={ADD_KEY.title(agentId)} className="dialog-wide">
      <Form act={add} verb={ADD_KEY.addKey} call="addKey" reason={problem} onClose={onClose}>
        <p className="muted">{ADD_KEY.otherKeys}</p>
        <KeyFields draft={draft} onChange={change} fileName={keyFileName(agentId, draft.kid)} />
      </Form>
    </Dialog>
  );
}

function freeName(taken: readonly string[]): string {
  for (let n = taken.length + 1; ; n++) if (!taken.includes(`key-${n}`)) return `key-${n}`;
}
