import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Answer } from '../../components/answer.tsx';
import { Empty } from '../../components/panel.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { ScrollArea } from '../../components/scroll-area.tsx';
import { ACTIONS, Table } from '../../components/table.tsx';
import { agoText, count, Time } from '../../components/time.tsx';
import { type TokenRow, tokensQuery } from '../../service/administration-queries.ts';
import { IssueToken } from './issue-token.tsx';
import { lifetimeText } from './lifetimes.ts';
import { RevokeToken } from './revoke-token.tsx';

/** What is being issued: a new token, or one in the place of another. */
type Issuing = { readonly replaces: TokenRow | null } | null;

/** The API tokens of who is signed in. */
export function TokensScreen() {
  const tokens = useQuery(tokensQuery);
  const [issuing, setIssuing] = useState<Issuing>(null);
  const [revoking, setRevoking] = useState<TokenRow | null>(null);
  const issue = (
    <PermittedButton call="createToken" className="button-primary" onClick={() => setIssuing({ replaces: null })}>
      Issue a token
    </PermittedButton>
  );
  return (
    <Screen title="Tokens" name="Tokens" flush actions={issue}>
      <Answer query={tokens} what="your tokens">
        {({ tokens: rows }) =>
          rows.length === 0 ? (
            <Empty title="No token yet">
              <p>
                A program calls the service with an API token instead of a password. It acts as you, with the role that
                you have at the time, and can do nothing about your account.
              </p>
              {issue}
            </Empty>
          ) : (
            <div className="grid">
              <TokenTable rows={rows} replace={(replaces) => setIssuing({ replaces })} revoke={setRevoking} />
              <p className="grid-foot" role="status">
                {rows.length === 1 ? '1 token' : `${count(rows.length)} tokens`} of your own. Those that have ended are
                not listed.
              </p>
            </div>
          )
        }
      </Answer>
      {issuing !== null && <IssueToken replaces={issuing.replaces} onClose={() => setIssuing(null)} />}
      <RevokeToken token={revoking} onClose={() => setRevoking(null)} />
    </Screen>
  );
}

interface TableProps {
  readonly rows: readonly TokenRow[];
  readonly replace: (token: TokenRow) => void;
  readonly revoke: (token: TokenRow) => void;
}

function TokenTable({ rows, replace, revoke }: TableProps) {
  const now = Date.now();
  return (
    <ScrollArea className="grid-scroll" label="Tokens">
      <Table heads={['Token', 'Lifetime', 'Ends (UTC)', 'Last used', 'Issued (UTC)', ACTIONS]}>
        {rows.map((row) => (
          <tr key={row.id}>
            <td className="code" title={row.id}>
              {row.id.slice(0, 8)}
            </td>
            <td>{lifetimeText(row.ttl_seconds)}</td>
            <td>
              {row.expires_at === null ? <span className="muted">never</span> : <Time value={row.expires_at * 1000} />}
            </td>
            <td>
              {row.last_used_at === null ? (
                <span className="muted">never</span>
              ) : (
                <span title={new Date(row.last_used_at * 1000).toISOString()}>
                  {agoText(row.last_used_at * 1000, now)}
                </span>
              )}
            </td>
            <td>
              <Time value={row.created_at * 1000} />
            </td>
            <td className="row-actions">
              <PermittedButton
                call="createToken"
                className="button-small"
                aria-label={`Rotate token ${row.id.slice(0, 8)}`}
                onClick={() => replace(row)}
              >
                Rotate…
              </PermittedButton>
              <PermittedButton
                call="revokeToken"
                className="button-small"
                aria-label={`Revoke token ${row.id.slice(0, 8)}`}
                onClick={() => revoke(row)}
              >
                Revoke…
              </PermittedButton>
            </td>
          </tr>
        ))}
      </Table>
    </ScrollArea>
  );
}
