import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenRow } from '../../api/answers.ts';
import { useRefusal } from '../../api/permission.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { Empty, Panel } from '../../ui/panel.tsx';
import { IssueToken } from './issue-token.tsx';
import { RevokeToken, type Revoking } from './revoke-token.tsx';
import { TOKENS_SCREEN } from './texts.ts';
import { TokenTable } from './token-table.tsx';
import { tokenLabel } from './token-words.ts';

/** What is being issued: a new token, or one in the place of another. */
type Issuing = { readonly replaces: TokenRow | null } | null;

/** The API tokens of whoever is signed in, and for administrators those of the other members. */
export function TokensScreen() {
  const tokens = useQuery(q('listTokens'));
  const mayManage = useRefusal('revokeOrganizationToken') === null;
  const [issuing, setIssuing] = useState<Issuing>(null);
  const [revoking, setRevoking] = useState<Revoking | null>(null);
  const issue = (
    <PermittedButton call="createToken" className="button-primary" onClick={() => setIssuing({ replaces: null })}>
      {TOKENS_SCREEN.createToken}
    </PermittedButton>
  );
  return (
    <Screen title={TOKENS_SCREEN.tokens} name={TOKENS_SCREEN.tokens} actions={issue}>
      <div className="stack">
        <Answer query={tokens} what={TOKENS_SCREEN.what}>
          {({ tokens: rows }) =>
            rows.length === 0 ? (
              <Empty title={TOKENS_SCREEN.noTokensYet}>
                <p>{TOKENS_SCREEN.whyTokens}</p>
                {issue}
              </Empty>
            ) : (
              <Panel title={TOKENS_SCREEN.yourTokens} flush>
                <TokenTable
                  label={TOKENS_SCREEN.yourTokens}
                  rows={rows}
                  actions={(row) => (
                    <>
                      <PermittedButton
                        call="createToken"
                        className="button-small"
                        aria-label={TOKENS_SCREEN.replaceToken(tokenLabel(row))}
                        onClick={() => setIssuing({ replaces: row })}
                      >
                        {TOKENS_SCREEN.replace}
                      </PermittedButton>
                      <RevokeButton row={row} call="revokeToken" onClick={setRevoking} />
                    </>
                  )}
                />
                <p className="grid-foot" role="status">
                  {fill(TOKENS_SCREEN.ownCount, {
                    tokens: TOKENS_SCREEN.tokensOf(rows.length),
                  })}
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
      aria-label={TOKENS_SCREEN.revokeTokenNamed(tokenLabel(row))}
      onClick={() => onClick({ row, call })}
    >
      {TOKENS_SCREEN.revoke}
    </PermittedButton>
  );
}

/** The tokens of the organization's other members, for whoever may revoke those. */
function OfOthers({ revoke }: { readonly revoke: (revoking: Revoking) => void }) {
  const { data: session } = useQuery(sessionQuery);
  const tokens = useQuery(q('listOrganizationTokens'));
  return (
    <Panel title={TOKENS_SCREEN.ofOthers} flush>
      <Answer query={tokens} what={TOKENS_SCREEN.whatOfOthers}>
        {({ tokens: rows }) => {
          const others = rows.filter(({ user_id: userId }) => userId !== session?.id);
          if (others.length === 0) return <p className="panel-body muted">{TOKENS_SCREEN.noneOfOthers}</p>;
          return (
            <TokenTable
              label={TOKENS_SCREEN.ofOthers}
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
