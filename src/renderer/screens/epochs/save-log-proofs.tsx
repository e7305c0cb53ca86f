import { useMutation } from '@tanstack/react-query';
import type { RouteName } from '../../../contract/index.ts';
import type { Epoch } from '../../../protocol/index.ts';
import { type CallInput, fetchFile, sentenceOf } from '../../api/call.ts';
import { saveBlob } from '../../api/save-file.ts';
import { fill } from '../../lib/fill.ts';
import { PopoverMenu } from '../../ui/popover-menu.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SAVE_LOG_PROOFS } from './texts.ts';

interface File {
  readonly file: RouteName;
  readonly query: NonNullable<CallInput['query']>;
  readonly name: string;
}

/** Saves what somebody keeps of the log, or shows to whoever kept a checkpoint of it: signed notes, which other tools read too. */
export function SaveLogProofs({ epoch: { last_seq_no: size } }: { readonly epoch: Epoch }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ file, query, name }: File) => saveBlob(name, await fetchFile(file, { query })),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const command = <code>countersign verify --checkpoint</code>;
  return (
    <PopoverMenu label={SAVE_LOG_PROOFS.save}>
      <section className="stack">
        <button
          type="button"
          disabled={isPending}
          onClick={() => mutate({ file: 'checkpoint', query: { size }, name: `checkpoint-${size}.txt` })}
        >
          {SAVE_LOG_PROOFS.saveCheckpoint}
        </button>
        <p className="muted">{fill(SAVE_LOG_PROOFS.checkpointExplained, { size, command })}</p>
      </section>
      <section className="stack">
        <button
          type="button"
          disabled={isPending}
          onClick={() =>
            mutate({ file: 'consistencyProof', query: { from: size }, name: `consistency-from-${size}.txt` })
          }
        >
          {SAVE_LOG_PROOFS.saveConsistency}
        </button>
        <p className="muted">{fill(SAVE_LOG_PROOFS.consistencyExplained, { size, command })}</p>
      </section>
    </PopoverMenu>
  );
}
