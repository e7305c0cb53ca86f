import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../contract/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { deciderQuery } from '../../api/account-queries.ts';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { sessionQuery } from '../../api/queries.ts';
import { Confirm } from '../../components/confirm.tsx';
import { FormError } from '../../components/form-end.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { addKey } from '../../decisions/decide.ts';
import { cannotMakeKey } from '../../decisions/key-store.ts';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';

type Key = NonNullable<AnswerOf<'decisionAgent'>['decider']>['keys'][number];

/** The keys by which a person signs decisions: one for each browser, made there. */
export function DecisionKeys() {
  const isLocked = useRefusal('decisionAgent') !== null;
  const { data } = useQuery({ ...deciderQuery, enabled: !isLocked });
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const [revoking, setRevoking] = useState<Key | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: deciderQuery.queryKey });
  const add = useMutation({
    mutationFn: async () => {
      if (session == null || session.orgId === null) throw new Error('For this you have to belong to an organization.');
      await addKey({ orgId: session.orgId, userId: session.id });
    },
    onSuccess: async () => {
      toast('Decision key added.');
      await refresh();
    },
  });
  if (isLocked || data === undefined) return null;
  const keys = data.decider?.keys ?? [];
  return (
    <Panel
      title="Decision keys"
      flush={keys.length > 0}
      actions={
        <PermittedButton
          call="addDecisionKey"
          reason={cannotMakeKey()}
          disabled={add.isPending}
          onClick={() => add.mutate()}
        >
          Make key in this browser
        </PermittedButton>
      }
    >
      <FormError error={add.error} />
      {keys.length === 0 ? (
        <p>
          When an agent asks for approval, you sign your decision with a key of this browser. The key is made with your
          first decision and cannot be copied out of the browser.
        </p>
      ) : (
        <Rows keys={keys} revoke={setRevoking} />
      )}
      <Confirm
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title="Revoke decision key"
        verb="Revoke"
        isDestructive
        act={async () => {
          await call('revokeDecisionKey', { params: { kid: revoking?.kid ?? '' } });
          toast('Decision key revoked.');
          await refresh();
        }}
      >
        <p>
          <strong>
            <Seen text={revoking?.kid ?? ''} />
          </strong>{' '}
          can sign no further decision. Decisions signed before still verify.
        </p>
      </Confirm>
    </Panel>
  );
}

function Rows({ keys, revoke }: { readonly keys: readonly Key[]; readonly revoke: (key: Key) => void }) {
  return (
    <ScrollArea className="grid-scroll" label="Decision keys">
      <Table heads={['Key', 'State', 'Added (UTC)', ACTIONS]}>
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
                <button
                  type="button"
                  className="button-small"
                  aria-label={`Revoke key ${visibleText(key.kid)}`}
                  onClick={() => revoke(key)}
                >
                  Revoke…
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </ScrollArea>
  );
}
