import { useMutation } from '@tanstack/react-query';
import { visibleText } from '../../../protocol/index.ts';
import type { Backups } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { CopyButton } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { sizeText } from '../../lib/size.ts';
import { Panel } from '../../ui/panel.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { BACKUP_TABLE } from './texts.ts';

type Row = Backups['backups'][number];

/** The backups that are there, newest first. */
export function BackupTable({ rows, isBusy }: { readonly rows: readonly Row[]; readonly isBusy: boolean }) {
  const verify = useMutation({
    mutationFn: (id: string) => call('verifyBackup', { params: { backup_id: id }, body: {} }),
    onSuccess: () => invalidate('listBackups'),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  if (rows.length === 0) return null;
  return (
    <Panel title={BACKUP_TABLE.kept(count(rows.length))} flush>
      <Table
        heads={[
          BACKUP_TABLE.createdUtc,
          BACKUP_TABLE.started,
          { label: BACKUP_TABLE.size, isRight: true },
          BACKUP_TABLE.found,
          BACKUP_TABLE.name,
          ACTIONS,
        ]}
      >
        {rows.map((row) => (
          <tr key={row.backup_id}>
            <td>
              <Time value={row.created_at} />
            </td>
            <td>{row.made_by === 'schedule' ? BACKUP_TABLE.bySchedule : BACKUP_TABLE.manually}</td>
            <td className="right number" title={BACKUP_TABLE.sizeBytes(count(row.size))}>
              {sizeText(row.size)}
            </td>
            <td title={visibleText(row.verification?.message ?? '')}>
              <Found row={row} />
            </td>
            <td className="code" title={row.backup_id}>
              {row.backup_id} <CopyButton text={row.backup_id} what={BACKUP_TABLE.nameCopied} />
            </td>
            <td className="row-actions">
              <PermittedButton
                call="verifyBackup"
                className="button-small"
                aria-label={BACKUP_TABLE.verifyNamed(row.backup_id)}
                disabled={isBusy || verify.isPending}
                onClick={() => verify.mutate(row.backup_id)}
              >
                {BACKUP_TABLE.verify}
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
  return verification.state === 'good' ? (
    <Mark outcome="pass" word={BACKUP_TABLE.passed} />
  ) : (
    <Mark outcome="fail" word={BACKUP_TABLE.failed} />
  );
}
