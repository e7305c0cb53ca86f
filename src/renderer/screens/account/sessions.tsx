import { useMutation, useQuery } from '@tanstack/react-query';
import type { SessionRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { FormError } from '../../components/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { agoText, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SESSIONS } from './texts.ts';

/** Where somebody is signed in with this account, and the way to end that. */
export function Sessions() {
  const sessions = useQuery(q('listSessions'));
  const end = useMutation({
    mutationFn: async (row: SessionRow | null) => {
      if (row === null) await call('endOtherSessions', { body: {} });
      else await call('endSession', { params: { session_id: row.id }, body: {} });
    },
    onSuccess: async (_, row) => {
      toast(row === null ? SESSIONS.allOtherSessionsEnded : SESSIONS.sessionEnded);
      await invalidate('listSessions');
    },
  });
  const others = sessions.data?.sessions.some(({ is_current: isCurrent }) => !isCurrent) === true;
  return (
    <Panel
      title={SESSIONS.sessions}
      flush
      actions={
        others && (
          <button type="button" disabled={end.isPending} onClick={() => end.mutate(null)}>
            {SESSIONS.endAllOtherSessions}
          </button>
        )
      }
    >
      <Answer query={sessions} what={SESSIONS.yourSessions}>
        {({ sessions: rows }) => (
          <ScrollArea className="grid-scroll" label={SESSIONS.sessions}>
            <Table
              heads={[
                SESSIONS.program,
                SESSIONS.lastUsed,
                SESSIONS.address,
                SESSIONS.signedUtc,
                SESSIONS.endsUtc,
                ACTIONS,
              ]}
            >
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    {row.browser ?? SESSIONS.notUsedYet}
                    {row.is_current && <strong> {SESSIONS.current}</strong>}
                  </td>
                  <td>
                    {row.last_used_at === null ? SESSIONS.never : agoText(Date.parse(row.last_used_at), Date.now())}
                  </td>
                  <td className="code">{row.last_used_from}</td>
                  <td>
                    <Time value={row.begun_at} />
                  </td>
                  <td>
                    <Time value={row.expires_at} />
                  </td>
                  <td className="row-actions">
                    {!row.is_current && (
                      <button
                        type="button"
                        className="button-small"
                        aria-label={SESSIONS.endNamed(row.browser ?? SESSIONS.someProgram)}
                        disabled={end.isPending}
                        onClick={() => end.mutate(row)}
                      >
                        {SESSIONS.endSession}
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          </ScrollArea>
        )}
      </Answer>
      <FormError error={end.error} />
    </Panel>
  );
}
