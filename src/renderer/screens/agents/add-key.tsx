import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { agentChanged } from '../../api/query-client.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { keyFileName } from '../../snippets/snippet.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { draftBody, draftProblem, emptyKeyDraft, type KeyDraft } from './key-draft.ts';
import { KeyFields } from './key-fields.tsx';
import { ADD_KEY } from './texts.ts';

interface AddKeyProps {
  readonly agentId: string;
  /** The names of the keys that the agent has had. */
  readonly taken: readonly string[];
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Adds a key to an agent. What was made or typed stays while the window over the page is closed. */
export function AddKey({ agentId, taken, open, onClose }: AddKeyProps) {
  const [draft, setDraft] = useState(() => emptyKeyDraft(freeName(taken)));
  const add = useMutation({
    mutationFn: () => call('addKey', { params: { agent_id: agentId }, body: draftBody(draft) }),
    onSuccess: async ({ key }) => {
      toast(ADD_KEY.added(key.kid));
      setDraft(emptyKeyDraft(freeName([...taken, key.kid])));
      onClose();
      await agentChanged();
    },
  });
  const change = (part: Partial<KeyDraft>): void =>
    // A private key that was saved under the old name is not there under the new one.
    setDraft((before) => ({ ...before, ...(part.kid === undefined ? {} : { isSaved: false }), ...part }));
  const problem = draftProblem(draft);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problem === null) add.mutate();
  };
  return (
    <Dialog open={open} onClose={onClose} title={ADD_KEY.title(agentId)} className="dialog-wide">
      <form className="stack" onSubmit={submit}>
        <p className="muted">{ADD_KEY.otherKeys}</p>
        <KeyFields draft={draft} onChange={change} fileName={keyFileName(agentId, draft.kid)} />
        <FormEnd error={add.error} onClose={onClose}>
          <PermittedButton
            call="addKey"
            type="submit"
            className="button-primary"
            reason={problem}
            disabled={add.isPending}
          >
            {ADD_KEY.addKey}
          </PermittedButton>
        </FormEnd>
      </form>
    </Dialog>
  );
}

function freeName(taken: readonly string[]): string {
  for (let n = taken.length + 1; ; n++) if (!taken.includes(`key-${n}`)) return `key-${n}`;
}
