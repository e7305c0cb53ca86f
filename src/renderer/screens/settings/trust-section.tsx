import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../contract/index.ts';
import { toast } from '../../app/toasts.tsx';
import { Answer } from '../../components/answer.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { Panel } from '../../components/panel.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Seen } from '../../components/seen.tsx';
import { ACTIONS, Table } from '../../components/table.tsx';
import { count, Time } from '../../components/time.tsx';
import { call } from '../../service/call.ts';
import { trustQuery } from '../../service/case-queries.ts';
import { TrustKey } from './trust-key.tsx';

type Trust = AnswerOf<'listTrust'>;
type TrustedKey = Trust['trusted'][number];

/** How a key is called: by its own name here, by the organization it signed for, or by nothing. */
function nameOf({ label, organizations }: TrustedKey): string {
  return label ?? organizations[0]?.name ?? 'without a name';
}

/** The keys of other services that the user of this machine trusts, by whom bundles are verified here. */
export function TrustSection() {
  const store = useQuery(trustQuery);
  return (
    <Answer query={store} what="the trust store">
      {(answer) =>
        answer.enabled ? (
          <div className="stack">
            <Trusted rows={answer.trusted} />
            <SeenIssuers rows={answer.seen} />
          </div>
        ) : (
          <p className="muted">The service runs without a trust store. It is given when the service is started.</p>
        )
      }
    </Answer>
  );
}

function Trusted({ rows }: { readonly rows: Trust['trusted'] }) {
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<TrustedKey | null>(null);
  const client = useQueryClient();
  const remove = async (): Promise<void> => {
    if (removing === null) return;
    await call('removeTrust', { params: { kid: removing.kid }, body: {} });
    toast('The key is trusted no longer.');
    await client.invalidateQueries(trustQuery);
  };
  return (
    <Panel
      title={`Trusted (${count(rows.length)})`}
      flush
      actions={
        <PermittedButton call="addTrust" onClick={() => setAdding(true)}>
          Trust a key…
        </PermittedButton>
      }
    >
      {rows.length === 0 ? (
        <p className="loading">
          None yet. A bundle is believed only for a key that you trust: compare its fingerprint by another way first.
        </p>
      ) : (
        <Table heads={['Name', 'Fingerprint', 'Trusted since (UTC)', ACTIONS]}>
          {rows.map((row) => (
            <tr key={row.kid}>
              <td title={nameOf(row)}>
                <Seen text={nameOf(row)} />
              </td>
              <td className="code whole">
                {row.fingerprint} <CopyButton text={row.kid} what="fingerprint" />
              </td>
              <td>
                <Time value={row.added_at} />
              </td>
              <td className="row-actions">
                <PermittedButton
                  call="removeTrust"
                  className="button-small"
                  aria-label={`Remove ${row.kid}`}
                  onClick={() => setRemoving(row)}
                >
                  Remove…
                </PermittedButton>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {isAdding && <TrustKey onClose={() => setAdding(false)} />}
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title="Trust this key no longer"
        verb="Remove"
        isDestructive
        act={remove}
      >
        <p className="code breakable">{removing?.fingerprint}</p>
        <p>
          Bundles that it signed are no longer believed here, nor on the command line of this machine. What was verified
          before keeps its verdict until it is verified again, and the bundles stay.
        </p>
      </Confirm>
    </Panel>
  );
}

/** Seen is not trusted: said apart, so that nobody takes the one for the other. */
function SeenIssuers({ rows }: { readonly rows: Trust['seen'] }) {
  if (rows.length === 0) return null;
  return (
    <Panel title={`Seen, and not trusted for that (${count(rows.length)})`} flush>
      <Table heads={['Organization', 'Keys of its bundles', 'Last seen (UTC)']}>
        {rows.map((row) => (
          <tr key={row.org_id}>
            <td title={row.org_id}>
              <Seen text={row.org_name} />
            </td>
            <td className="code">{row.keys.map(({ kid }) => kid.slice(0, 12)).join(', ')}</td>
            <td>
              <Time
                value={
                  row.keys
                    .map(({ last_seen: { at } }) => at)
                    .toSorted()
                    .at(-1) ?? ''
                }
              />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
