import { useMutation, useQueryClient } from '@tanstack/react-query';
import { visibleText } from '../../../protocol/index.ts';
import type { Backups } from '../../api/administration-queries.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { KEYS } from '../../api/keys.ts';
import { CopyButton } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';

type Row = Backups['backups'][number];

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size as people read it, in powers of a thousand. */
export function sizeText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${UNITS[power]}`;
}

/** The backups that are there, newest first. */
export function BackupTable({ rows, isBusy }: { readonly rows: readonly Row[]; readonly isBusy: boolean }) {
  const client = useQueryClient();
  const verify = useMutation({
    mutationFn: (id: string) => call('verifyBackup', { params: { backup_id: id }, body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEYS.backups }),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  if (rows.length === 0) return null;
  return (
    <Panel title={`Kept (${count(rows.length)})`} flush>
      <Table heads={['Made (UTC)', 'By', { label: 'Size', isRight: true }, 'Found', 'Name', ACTIONS]}>
        {rows.map((row) => (
          <tr key={row.backup_id}>
            <td>
              <Time value={row.created_at} />
            </td>
            <td>{row.made_by === 'schedule' ? 'schedule' : 'hand'}</td>
            <td className="right number" title={`${count(row.size)} bytes`}>
              {sizeText(row.size)}
            </td>
            <td title={visibleText(row.verification?.message ?? '')}>
              <Found row={row} />
            </td>
            <td className="code" title={row.backup_id}>
              {row.backup_id} <CopyButton text={row.backup_id} what="name" />
            </td>
            <td className="row-actions">
              <PermittedButton
                call="verifyBackup"
                className="button-small"
                aria-label={`Verify ${row.backup_id}`}
                disabled={isBusy || verify.isPending}
                onClick={() => verify.mutate(row.backup_id)}
              >
                Verify
              </PermittedButton>
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

function Found({ row: { verification } }: { readonly row: Row }) {
  if (verification === null) return <Mark outcome="not_checked" />;
  return verification.state === 'good' ? <Mark outcome="pass" word="Good" /> : <Mark outcome="fail" word="Bad" />;
}
