import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Case } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { casesQuery } from '../../api/case-queries.ts';
import { KEYS } from '../../api/keys.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Deletes a case, after saying what goes with it and what stays. */
export function DeleteCase({ of }: { readonly of: Case }) {
  const refusal = useCaseRefusal('deleteCase', of.scope);
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('deleteCase', { params: { case_id: of.case_id } }),
    onSuccess: async () => {
      await navigate({ to: '/cases', search: {} });
      client.removeQueries({ queryKey: KEYS.caseAll(of.case_id) });
      await client.invalidateQueries({ queryKey: casesQuery.queryKey });
      toast(`${of.name} is deleted.`);
    },
  });
  return (
    <>
      <PermittedButton call="deleteCase" reason={refusal} onClick={() => setOpen(true)}>
        Delete…
      </PermittedButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={`Delete ${of.name}`}>
        <p>
          The case goes for good: the copy of the file, what was verified of it, and your tags and notes. Save its
          report first if you need those.
        </p>
        <p>
          <strong>What stays:</strong> the file where you got it from, the live ledger, other cases, and which issuers
          you trust.
        </p>
        <FormEnd error={remove.error} onClose={() => setOpen(false)} leave="Keep it">
          <button type="button" className="button-danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Delete the case
          </button>
        </FormEnd>
      </Dialog>
    </>
  );
}
