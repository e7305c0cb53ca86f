import type { ReactNode } from 'react';
import type { TokenRow } from '../../api/answers.ts';
import { fill } from '../../lib/fill.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { agoText, Time, timeText } from '../../ui/time.tsx';
import { lifetimeText } from './lifetimes.ts';
import { TOKEN_TABLE } from './texts.ts';
import { scopeText, tokenLabel } from './token-words.ts';

interface TokenTableProps<Row extends TokenRow> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Whose a token is, where they are of several people. */
  readonly ownerOf?: (row: Row) => string;
  readonly actions: (row: Row) => ReactNode;
}

/** API tokens with what each can do, when it ends and when it was used last. */
export function TokenTable<Row extends TokenRow>({ label, rows, ownerOf, actions }: TokenTableProps<Row>) {
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
                <span title={timeText(row.last_used_at * 1000, zone)}>
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
