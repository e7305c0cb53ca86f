import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import type { Case } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { RENAME_CASE } from './texts.ts';

/** Gives a case another name. */
export function RenameCase({ of }: { readonly of: Case }) {
  const refusal = useCaseRefusal('renameCase', of.scope);
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(of.name);
  const client = useQueryClient();
  const rename = async (): Promise<void> => {
    const renamed = await call('renameCase', { params: { case_id: of.case_id }, body: { name: name.trim() } });
    client.setQueryData(q('getCase', { params: { case_id: of.case_id } }).queryKey, renamed);
    setOpen(false);
    await invalidate('listCases');
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
        {RENAME_CASE.ask}
      </PermittedButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={RENAME_CASE.renameCase}>
        <Form act={rename} verb={RENAME_CASE.submit} onClose={() => setOpen(false)}>
          <TextField label={RENAME_CASE.name} required maxLength={LIMITS.caseName} value={name} onChange={setName} />
        </Form>
      </Dialog>
    </>
  );
}
