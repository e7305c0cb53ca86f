import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TokenRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { Empty, Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { agoText, Time, timeWords } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { IssueToken, lifetimeText, tokenLabel } from './issue-token.tsx';
import { REVOKE_TOKEN, TOKEN_TABLE, TOKEN_WORDS, TOKENS_SCREEN } from './texts.ts';

/** What is being issued: a new token, or one in the place of another. */
type Issuing = { readonly replaces: TokenRow | null } | null;

/** The API tokens of whoever is signed in, and for administrators those of the other members. */
export function TokensScreen() {
  const tokens = useQuery(q('listTokens'));
  const mayManage = useRefusal('revokeOrganizationToken') === null;
  const [issuing, setIssuing] = useState<Issuing>(null);
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
                      <RevokeButton row={row} route="revokeToken" />
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
        {mayManage && <OfOthers />}
      </div>
      {issuing !== null && <IssueToken replaces={issuing.replaces} onClose={() => setIssuing(null)} />}
    </Screen>
  );
}

interface RevokeButtonProps {
  readonly row: TokenRow;
  readonly route: 'revokeToken' | 'revokeOrganizationToken';
}

function RevokeButton({ row, route }: RevokeButtonProps) {
  return (
    <PermittedButton
      call={route}
      className="button-small"
      aria-label={TOKENS_SCREEN.revokeTokenNamed(tokenLabel(row))}
      onClick={() => askToRevoke(row, route)}
    >
      {TOKENS_SCREEN.revoke}
    </PermittedButton>
  );
}

/** The tokens of the organization's other members, for whoever may revoke those. */
function OfOthers() {
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
              actions={(row) => <RevokeButton row={row} route="revokeOrganizationToken" />}
            />
          );
        }}
      </Answer>
    </Panel>
  );
}

/** Revokes a token, once it was said what that means for the program that uses it. */
function askToRevoke(row: TokenRow, route: 'revokeToken' | 'revokeOrganizationToken'): void {
  askBefore({
    title: REVOKE_TOKEN.revokeToken,
    verb: REVOKE_TOKEN.verb,
    isDestructive: true,
    act: async () => {
      await call(route, { params: { token_id: row.id }, body: {} });
      toast(REVOKE_TOKEN.tokenRevoked);
      await invalidate('listTokens', 'listOrganizationTokens');
    },
    children: (
      <p>
        {fill(REVOKE_TOKEN.consequence, {
          token: (
            <strong>
              <Seen text={tokenLabel(row)} />
            </strong>
          ),
          more: row.scope === 'full' && REVOKE_TOKEN.issuedToo,
        })}
      </p>
    ),
  });
}

/** What a token can do, in words. */
function scopeText({ scope, agent_id: agentId }: Pick<TokenRow, 'scope' | 'agent_id'>): string {
  if (scope === 'submit') return TOKEN_WORDS.submitFor(agentId ?? '');
  return scope === 'enrol' ? TOKEN_WORDS.registerOnce : TOKEN_WORDS.everything;
}

interface TokenTableProps<Row extends TokenRow> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Whose a token is, where they are of several people. */
  readonly ownerOf?: (row: Row) => string;
  readonly actions: (row: Row) => ReactNode;
}

/** API tokens with what each can do, when it ends and when it was used last. */
function TokenTable<Row extends TokenRow>({ label, rows, ownerOf, actions }: TokenTableProps<Row>) {
  const now = Date.now();
  const zone = useTimeZone();
  const owner = ownerOf === undefined ? [] : [TOKEN_TABLE.owner];
  return (
    <ScrollArea className="grid-scroll" label={label}>
      <Table
        heads={[
          TOKEN_TABLE.name,
          ...owner,
          TOKEN_TABLE.canDo,
          TOKEN_TABLE.lastUsed,
          TOKEN_TABLE.expiresUtc,
          TOKEN_TABLE.lifetime,
          TOKEN_TABLE.createdUtc,
          ACTIONS,
        ]}
      >
        {rows.map((row) => (
          <tr key={row.id}>
            <td title={row.id} className={row.name === null ? 'code' : undefined}>
              <Seen text={tokenLabel(row)} />
            </td>
            {ownerOf !== undefined && (
              <td>
                <Seen text={ownerOf(row)} />
              </td>
            )}
            <td>{scopeText(row)}</td>
            <td>
              {row.last_used_at === null ? (
                <span className="muted">{TOKEN_TABLE.never}</span>
              ) : (
                <span title={timeWords(row.last_used_at * 1000, zone)}>
                  {agoText(row.last_used_at * 1000, now)}
                  {row.last_used_from !== null && (
                    <span className="muted"> {fill(TOKEN_TABLE.usedFrom, { lastUsedFrom: row.last_used_from })}</span>
                  )}
                </span>
              )}
            </td>
            <td>
              {row.expires_at === null ? (
                <span className="muted">{TOKEN_TABLE.never}</span>
              ) : (
                <Time value={row.expires_at * 1000} />
              )}
            </td>
            <td>{lifetimeText(row.ttl_seconds)}</td>
            <td>
              <Time value={row.created_at * 1000} />
            </td>
            <td className="row-actions">{actions(row)}</td>
          </tr>
        ))}
      </Table>
    </ScrollArea>
  );
}
