import { useNavigate } from '@tanstack/react-router';
import type { Case } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { forgetCase, invalidate } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { toast } from '../../ui/toasts.tsx';
import { DELETE_CASE } from './texts.ts';

/** Deletes a case, after saying what goes with it and what stays. */
export function DeleteCase({ of }: { readonly of: Case }) {
  const refusal = useCaseRefusal('deleteCase', of.scope);
  const navigate = useNavigate();
  const ask = (): void =>
    askBefore({
      title: DELETE_CASE.titleOf(of.name),
      verb: DELETE_CASE.deleteCase,
      isDestructive: true,
      leave: DELETE_CASE.keep,
      act: async () => {
        await call('deleteCase', { params: { case_id: of.case_id } });
        await navigate({ to: '/cases', search: {} });
        forgetCase(of.case_id);
        await invalidate('listCases');
        toast(DELETE_CASE.deleted(of.name));
      },
      children: (
        <>
          <p>{DELETE_CASE.explained}</p>
          <p>{fill(DELETE_CASE.whatStays, { stays: <strong>{DELETE_CASE.stays}</strong> })}</p>
        </>
      ),
    });
  return (
    <PermittedButton call="deleteCase" className="button-grave" reason={refusal} onClick={ask}>
      {DELETE_CASE.delete}
    </PermittedButton>
  );
}
