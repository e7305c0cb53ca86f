import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExportJob } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { KEYS } from '../../api/keys.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Deletes an export, after saying what goes and what stays. One that is being made cannot be deleted. */
export function DeleteExport({ job }: { readonly job: ExportJob }) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('deleteExport', { params: { export_id: job.exportId } }),
    onSuccess: async () => {
      await navigate({ to: '/exports', search: {} });
      client.removeQueries({ queryKey: KEYS.export(job.exportId) });
      await client.invalidateQueries({ queryKey: KEYS.exports });
      toast('The export is deleted.');
    },
  });
  if (job.status === 'processing') return null;
  return (
    <>
      <PermittedButton call="deleteExport" onClick={() => setOpen(true)}>
        Delete export…
      </PermittedButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Delete this export?">
        <p>
          The service deletes its file and cannot bring the file back. Copies that were downloaded stay valid and can be
          verified as before.
        </p>
        <p>
          <strong>What stays:</strong> the records in the ledger, and the admin log, which also records this deletion.
        </p>
        <FormEnd error={remove.error} onClose={() => setOpen(false)} leave="Keep the export">
          <button type="button" className="button-danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Delete export
          </button>
        </FormEnd>
      </Dialog>
    </>
  );
}
