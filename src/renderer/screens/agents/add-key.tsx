import { useState } from 'react';
import { call } from '../../api/call.ts';
import { agentChanged } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
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
  const add = async (): Promise<void> => {
    if (problem !== null) return;
    const { key } = await call('addKey', { params: { agent_id: agentId }, body: draftBody(draft) });
    toast(ADD_KEY.added(key.kid));
    setDraft(emptyKeyDraft(freeName([...taken, key.kid])));
    onClose();
    await agentChanged();
  };
  const change = (part: Partial<KeyDraft>): void =>
    // A private key that was saved under the old name is not there under the new one.
    setDraft((before) => ({ ...before, ...(part.kid === undefined ? {} : { isSaved: false }), ...part }));
  const problem = draftProblem(draft);
  return (
    <Dialog open={open} onClose={onClose} title={ADD_KEY.title(agentId)} className="dialog-wide">
      <Form act={add} verb={ADD_KEY.addKey} call="addKey" reason={problem} onClose={onClose}>
        <p className="muted">{ADD_KEY.otherKeys}</p>
        <KeyFields draft={draft} onChange={change} fileName={keyFileName(agentId, draft.kid)} />
      </Form>
    </Dialog>
  );
}

function freeName(taken: readonly string[]): string {
  for (let n = taken.length + 1; ; n++) if (!taken.includes(`key-${n}`)) return `key-${n}`;
}
