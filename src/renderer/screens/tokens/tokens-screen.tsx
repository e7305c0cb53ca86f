import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationTokensQuery, type TokenRow, tokensQuery } from '../../api/administration-queries.ts';
import { useRefusal } from '../../api/permission.ts';
import { sessionQuery } from '../../api/queries.ts';
import { Answer } from '../../components/answer.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';
import { IssueToken } from './issue-token.tsx';
import { RevokeToken, type Revoking } from './revoke-token.tsx';
import { TokenTable } from './token-table.tsx';
import { tokenLabel } from './token-words.ts';

/** What is being issued: a new token, or one in the place of another. */
type Issuing = { readonly replaces: TokenRow | null } | null;

/** The API tokens of whoever is signed in, and for administrators those of the other members. */
export function TokensScreen() {
  const tokens = useQuery(tokensQuery);
  const mayManage = useRefusal('revokeOrganizationToken') === null;
  const [issuing, setIssuing] = useState<Issuing>(null);
  const [revoking, setRevoking] = useState<Revoking | null>(null);
  const issue = (
    <PermittedButton call="createToken" className="button-primary" onClick={() => setIssuing({ replaces: null })}>
      Create token
    </PermittedButton>
  );
  return (
    <Screen title="Tokens" name="Tokens" actions={issue}>
      <div className="stack">
        <Answer query={tokens} what="your tokens">
          {({ tokens: rows }) =>
            rows.length === 0 ? (
              <Empty title="No tokens yet">
                <p>
                  Programs call the service with an API token instead of a password. A token can be limited to
                  submitting for one agent; without that limit it can do all that you can do, but for your account.
                </p>
                {issue}
              </Empty>
            ) : (
              <Panel title="Your tokens" flush>
                <TokenTable
                  label="Your tokens"
                  rows={rows}
                  actions={(row) => (
                    <>
                      <PermittedButton
                        call="createToken"
                        className="button-small"
                        aria-label={`Replace token ${tokenLabel(row)}`}
                        onClick={() => setIssuing({ replaces: row })}
                      >
                        Replace…
                      </PermittedButton>
                      <RevokeButton row={row} call="revokeToken" onClick={setRevoking} />
                    </>
                  )}
                />
                <p className="grid-foot" role="status">
                  {rows.length === 1 ? '1 token' : `${count(rows.length)} tokens`} of your own. Expired tokens are not
                  listed.
                </p>
              </Panel>
            )
          }
        </Answer>
        {mayManage && <OfOthers revoke={setRevoking} />}
      </div>
      {issuing !== null && <IssueToken replaces={issuing.replaces} onClose={() => setIssuing(null)} />}
      <RevokeToken revoking={revoking} onClose={() => setRevoking(null)} />
    </Screen>
  );
}

interface RevokeButtonProps extends Revoking {
  readonly onClick: (revoking: Revoking) => void;
}

function RevokeButton({ row, call, onClick }: RevokeButtonProps) {
  return (
    <PermittedButton
      call={call}
      className="button-small"
      aria-label={`Revoke token ${tokenLabel(row)}`}
      onClick={() => onClick({ row, call })}
    >
      Revoke…
    </PermittedButton>
  );
}

/** The tokens of the organization's other members, for whoever may revoke those. */
function OfOthers({ revoke }: { readonly revoke: (revoking: Revoking) => void }) {
  const { data: session } = useQuery(sessionQuery);
  const tokens = useQuery(organizationTokensQuery);
  return (
    <Panel title="Tokens of other members" flush>
      <Answer query={tokens} what="the tokens of the organization">
        {({ tokens: rows }) => {
          const others = rows.filter(({ user_id: userId }) => userId !== session?.id);
          if (others.length === 0) return <p className="panel-body muted">No other member has a token.</p>;
          return (
            <TokenTable
              label="Tokens of other members"
              rows={others}
              ownerOf={({ email }) => email}
              actions={(row) => <RevokeButton row={row} call="revokeOrganizationToken" onClick={revoke} />}
            />
          );
        }}
      </Answer>
    </Panel>
  );
}
