import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Case } from '../../api/answers.ts';
import { sentenceOf } from '../../api/call.ts';
import { download } from '../../api/download.ts';
import { KEYS } from '../../api/keys.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { PermittedButton } from '../../components/permitted.tsx';
import { saveCaseFile } from '../../decisions/sign-case.ts';
import { toast } from '../../ui/toasts.tsx';
import { TEXTS } from './texts.ts';
import { useCaseSigner } from './use-case-signer.ts';

/** Saves a case as one file, to be opened on another machine. */
export function SaveCase({ of }: { readonly of: Case }) {
  const refusal = useCaseRefusal('saveCase', of.scope);
  const signer = useCaseSigner();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const made = await saveCaseFile(signer, of.case_id);
      await download('savedCase', { params: { case_id: of.case_id, file_id: made.file_id } });
      return made;
    },
    onSuccess: async ({ signed }) => {
      toast(signed ? TEXTS.savedSigned : TEXTS.savedUnsigned);
      await client.invalidateQueries({ queryKey: KEYS.caseCustody(of.case_id) });
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <PermittedButton call="saveCase" reason={refusal} disabled={save.isPending} onClick={() => save.mutate()}>
      {TEXTS.save}
    </PermittedButton>
  );
}
