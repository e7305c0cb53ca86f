import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import type { Case } from '../../api/answers.ts';
import { sentenceOf } from '../../api/call.ts';
import { download } from '../../api/download.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { invalidate } from '../../api/query-client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { useCaseSigner } from '../../components/use-case-signer.ts';
import { draftCaseFile, saveCaseFile } from '../../decisions/sign-case.ts';
import { toast } from '../../ui/toasts.tsx';
import { CustodyDamage } from './custody-damage.tsx';
import { SAVE_DAMAGED, TEXTS } from './texts.ts';

type Damage = AnswerOf<'draftCase'>['damage'];

/** Saves a case as one file, to be opened on another machine. Nobody signs a damaged log without knowing. */
export function SaveCase({ of }: { readonly of: Case }) {
  const refusal = useCaseRefusal('saveCase', of.scope);
  const signer = useCaseSigner();
  const [damaged, setDamaged] = useState<Damage | null>(null);
  const write = async (draft: AnswerOf<'draftCase'>): Promise<void> => {
    const { file_id, signed } = await saveCaseFile(signer, of.case_id, draft);
    await download('savedCase', { params: { case_id: of.case_id, file_id } });
    toast(signed ? TEXTS.savedSigned : TEXTS.savedUnsigned);
    await invalidate('custody');
  };
  const save = useMutation({
    mutationFn: async () => {
      const draft = await draftCaseFile(of.case_id);
      if (draft.damage.length > 0) setDamaged(draft.damage);
      else await write(draft);
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <>
      <PermittedButton call="saveCase" reason={refusal} disabled={save.isPending} onClick={() => save.mutate()}>
        {TEXTS.save}
      </PermittedButton>
      <Confirm
        open={damaged !== null}
        onClose={() => setDamaged(null)}
        title={SAVE_DAMAGED.title}
        verb={SAVE_DAMAGED.verb}
        act={async () => {
          // Entries may have come meanwhile, such as signatures of this page: what is signed is the case as it is now.
          const draft = await draftCaseFile(of.case_id);
          if (JSON.stringify(draft.damage) !== JSON.stringify(damaged)) {
            setDamaged(draft.damage);
            throw new Error(SAVE_DAMAGED.changed);
          }
          await write(draft);
        }}
      >
        <CustodyDamage damage={damaged ?? []} />
        <p>{SAVE_DAMAGED.explained}</p>
      </Confirm>
    </>
  );
}
