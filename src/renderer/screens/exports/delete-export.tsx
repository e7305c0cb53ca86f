import { useNavigate } from '@tanstack/react-router';
import type { ExportJob } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate, queryClient } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { toast } from '../../ui/toasts.tsx';
import { DELETE_EXPORT } from './texts.ts';

/** Deletes an export, after saying what goes and what stays. One that is being made cannot be deleted. */
export function DeleteExport({ job }: { readonly job: ExportJob }) {
  const navigate = useNavigate();
  const ask = (): void =>
    askBefore({
      title: DELETE_EXPORT.title,
      verb: DELETE_EXPORT.confirm,
      isDestructive: true,
      leave: DELETE_EXPORT.keep,
      act: async () => {
        await call('deleteExport', { params: { export_id: job.exportId } });
        await navigate({ to: '/exports', search: {} });
        queryClient.removeQueries({ queryKey: q('getExport', { params: { export_id: job.exportId } }).queryKey });
        await invalidate('listExports');
        toast(DELETE_EXPORT.deleted);
      },
      children: (
        <>
          <p>{DELETE_EXPORT.consequence}</p>
          <p>{fill(DELETE_EXPORT.stays, { heading: <strong>{DELETE_EXPORT.whatStays}</strong> })}</p>
        </>
      ),
    });
  if (job.status === 'processing') return null;
  return (
    <PermittedButton call="deleteExport" className="button-grave" onClick={ask}>
      {DELETE_EXPORT.ask}
    </PermittedButton>
  );
}
