import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { LIMITS } from '../../../contract/index.ts';
import { useCaseRefusal } from '../../app/permission.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import type { Case } from '../../service/answers.ts';
import { call } from '../../service/call.ts';
import { caseQuery, casesQuery } from '../../service/case-queries.ts';

/** Gives a case another name. */
export function RenameCase({ of }: { readonly of: Case }) {
  const refusal = useCaseRefusal('renameCase', of.scope);
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(of.name);
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: () => call('renameCase', { params: { case_id: of.case_id }, body: { name: name.trim() } }),
    onSuccess: async (renamed) => {
      client.setQueryData(caseQuery(of.case_id).queryKey, renamed);
      setOpen(false);
      await client.invalidateQueries({ queryKey: casesQuery.queryKey });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <>
      <PermittedButton
        call="renameCase"
        reason={refusal}
        onClick={() => {
          setName(of.name);
          setOpen(true);
        }}
      >
        Rename…
      </PermittedButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Rename the case">
        <form className="stack" onSubmit={submit}>
          <TextField label="Name" required maxLength={LIMITS.caseName} value={name} onChange={setName} />
          <FormEnd error={rename.error} onClose={() => setOpen(false)}>
            <button type="submit" className="button-primary" disabled={rename.isPending}>
              Rename
            </button>
          </FormEnd>
        </form>
      </Dialog>
    </>
  );
}
