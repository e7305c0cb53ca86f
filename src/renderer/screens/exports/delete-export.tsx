import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExportJob } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DELETE_EXPORT } from './texts.ts';

/** Deletes an export, after saying what goes and what stays. One that is being made cannot be deleted. */
export function DeleteExport({ job }: { readonly job: ExportJob }) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('deleteExport', { params: { export_id: job.exportId } }),
    onSuccess: async () => {
      await navigate({ to: '/exports', search: {} });
      client.removeQueries({ queryKey: q('getExport', { params: { export_id: job.exportId } }).queryKey });
      await invalidate('listExports');
      toast(DELETE_EXPORT.deleted);
    },
  });
  if (job.status === 'processing') return null;
  return (
    <>
      <PermittedButton call="deleteExport" className="button-grave" onClick={() => setOpen(true)}>
        {DELETE_EXPORT.ask}
      </PermittedButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={DELETE_EXPORT.title}>
        <p>{DELETE_EXPORT.consequence}</p>
        <p>{fill(DELETE_EXPORT.stays, { heading: <strong>{DELETE_EXPORT.whatStays}</strong> })}</p>
        <FormEnd error={remove.error} onClose={() => setOpen(false)} leave={DELETE_EXPORT.keep}>
          <button type="button" className="button-danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {DELETE_EXPORT.confirm}
          </button>
        </FormEnd>
      </Dialog>
    </>
  );
}
