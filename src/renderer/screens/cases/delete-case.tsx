import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Case } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { forgetCase, invalidate } from '../../api/query-client.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DELETE_CASE } from './texts.ts';

/** Deletes a case, after saying what goes with it and what stays. */
export function DeleteCase({ of }: { readonly of: Case }) {
  const refusal = useCaseRefusal('deleteCase', of.scope);
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('deleteCase', { params: { case_id: of.case_id } }),
    onSuccess: async () => {
      await navigate({ to: '/cases', search: {} });
      forgetCase(of.case_id);
      await invalidate('listCases');
      toast(DELETE_CASE.deleted(of.name));
    },
  });
  return (
    <>
      <PermittedButton call="deleteCase" className="button-grave" reason={refusal} onClick={() => setOpen(true)}>
        {DELETE_CASE.delete}
      </PermittedButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={DELETE_CASE.titleOf(of.name)}>
        <p>{DELETE_CASE.explained}</p>
        <p>{fill(DELETE_CASE.whatStays, { stays: <strong>{DELETE_CASE.stays}</strong> })}</p>
        <FormEnd error={remove.error} onClose={() => setOpen(false)} leave={DELETE_CASE.keep}>
          <button type="button" className="button-danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {DELETE_CASE.deleteCase}
          </button>
        </FormEnd>
      </Dialog>
    </>
  );
}
