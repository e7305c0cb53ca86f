import { useMutation, useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { FormError } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { addKey } from '../../decisions/decide.ts';
import { cannotMakeKey } from '../../decisions/key-store.ts';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DECISION_KEYS } from './texts.ts';

type Key = NonNullable<AnswerOf<'decisionAgent'>['decider']>['keys'][number];

/** The keys by which a person signs decisions: one for each browser, made there. */
export function DecisionKeys() {
  const isLocked = useRefusal('decisionAgent') !== null;
  const { data } = useQuery({ ...q('decisionAgent'), enabled: !isLocked });
  const { data: session } = useQuery(sessionQuery);
  const refresh = () => invalidate('decisionAgent');
  const add = useMutation({
    mutationFn: async () => {
      if (session == null || session.orgId === null) throw new Error('For this you have to belong to an organization.');
      await addKey({ orgId: session.orgId, userId: session.id });
    },
    onSuccess: async () => {
      toast(DECISION_KEYS.keyAdded);
      await refresh();
    },
  });
  if (isLocked || data === undefined) return null;
  const keys = data.decider?.keys ?? [];
  const askToRevoke = (revoking: Key): void =>
    askBefore({
      title: DECISION_KEYS.title,
      verb: DECISION_KEYS.revokeKey,
      isDestructive: true,
      act: async () => {
        await call('revokeDecisionKey', { params: { kid: revoking.kid } });
        toast(DECISION_KEYS.keyRevoked);
        await refresh();
      },
      children: (
        <p>
          {fill(DECISION_KEYS.consequence, {
            key: (
              <strong>
                <Seen text={revoking.kid} />
              </strong>
            ),
          })}
        </p>
      ),
    });
  return (
    <Panel
      title={DECISION_KEYS.decisionKeys}
      flush={keys.length > 0}
      actions={
        <PermittedButton
          call="addDecisionKey"
          reason={cannotMakeKey()}
          disabled={add.isPending}
          onClick={() => add.mutate()}
        >
          {DECISION_KEYS.makeKey}
        </PermittedButton>
      }
    >
      <FormError error={add.error} />
      {keys.length === 0 ? <p>{DECISION_KEYS.explained}</p> : <Rows keys={keys} revoke={askToRevoke} />}
    </Panel>
  );
}

function Rows({ keys, revoke }: { readonly keys: readonly Key[]; readonly revoke: (key: Key) => void }) {
  return (
    <ScrollArea className="grid-scroll" label={DECISION_KEYS.decisionKeys}>
      <Table heads={[DECISION_KEYS.key, DECISION_KEYS.state, DECISION_KEYS.addedUtc, ACTIONS]}>
        {keys.map((key) => (
          <tr key={key.kid}>
            <td className="code">
              <Seen text={key.kid} />
            </td>
            <td>{key.status}</td>
            <td>
              <Time value={key.created_at} />
            </td>
            <td className="row-actions">
              {key.status === 'active' && (
                <PermittedButton
                  call="revokeDecisionKey"
                  type="button"
                  className="button-small"
                  aria-label={DECISION_KEYS.revokeNamed(visibleText(key.kid))}
                  onClick={() => revoke(key)}
                >
                  {DECISION_KEYS.revoke}
                </PermittedButton>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </ScrollArea>
  );
}
