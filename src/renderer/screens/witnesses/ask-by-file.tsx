import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import type { WitnessRow } from '../../api/answers.ts';
import { call, fetchFile } from '../../api/call.ts';
import { keyBelow, q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Form } from '../../components/form.tsx';
import { HandLines, LinesField } from '../../components/lines-field.tsx';
import { joined } from '../../lib/code-parts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ASK_BY_FILE, WITNESSES_SCREEN } from './texts.ts';

interface AskByFileProps {
  readonly witness: WitnessRow;
  /** How large the log is that is sealed; 0 where there is nothing to ask for. */
  readonly sealed: number;
}

/** Takes a request across to a witness, and its answer back: as files, pasted, or the request as a QR code. */
export function AskByFile({ witness, sealed }: AskByFileProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" className="button-small" disabled={sealed === 0} onClick={() => setOpen(true)}>
        {WITNESSES_SCREEN.askByFile}
      </button>
      <Dialog open={isOpen} onClose={close} title={ASK_BY_FILE.title(witness.name)} className="dialog-wide">
        <div className="stack">
          <Request witness={witness} />
          <ImportAnswer witness={witness} onClose={close} />
        </div>
      </Dialog>
    </>
  );
}

function Request({ witness: { witness_id: id, newest } }: { readonly witness: WitnessRow }) {
  const query = useQuery({
    queryKey: keyBelow(q('listWitnesses'), 'request', id),
    queryFn: async () => (await fetchFile('witnessRequest', { params: { witness_id: id } })).text(),
    // Of the newest checkpoint each time that somebody asks.
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <section className="stack">
      <h3>{ASK_BY_FILE.request}</h3>
      <p>{ASK_BY_FILE.requestExplained}</p>
      <Answer query={query} what={ASK_BY_FILE.what}>
        {(request) => {
          const size = sizeOf(request);
          return (
            <>
              <HandLines
                text={request}
                file={`request-${size}.txt`}
                save={ASK_BY_FILE.save}
                copied={ASK_BY_FILE.copied}
                qr={ASK_BY_FILE.qr(count(size))}
              >
                {newest === null && (
                  <DownloadButton file="serviceKeysFile" as="service.keys">
                    {ASK_BY_FILE.saveKeys}
                  </DownloadButton>
                )}
              </HandLines>
              {newest === null && <p className="muted">{ASK_BY_FILE.firstTime}</p>}
            </>
          );
        }}
      </Answer>
    </section>
  );
}

/** The size of the checkpoint in a request: the second line behind the proof. */
function sizeOf(request: string): number {
  return Number(request.slice(request.indexOf('\n\n') + 2).split('\n')[1]);
}

function ImportAnswer({ witness, onClose }: { readonly witness: WitnessRow; readonly onClose: () => void }) {
  const [lines, setLines] = useState('');
  const { text: answer } = joined(lines);
  const take = async (): Promise<void> => {
    const { cosignature } = await call('importCosignatures', {
      params: { witness_id: witness.witness_id },
      body: { answer: answer ?? '' },
    });
    toast(ASK_BY_FILE.imported(cosignature.name, cosignature.size));
    onClose();
    await Promise.all([invalidate('listWitnesses'), invalidate('listCosignatures')]);
  };
  return (
    <Form
      act={take}
      verb={ASK_BY_FILE.importAnswer}
      call="importCosignatures"
      isBlocked={answer === null}
      onClose={onClose}
    >
      <h3>{ASK_BY_FILE.answer}</h3>
      <LinesField
        label={ASK_BY_FILE.answerLines}
        fileLabel={ASK_BY_FILE.answerFile}
        hint={ASK_BY_FILE.answerHint}
        most={LIMITS.witnessAnswer}
        lines={lines}
        onChange={setLines}
      />
    </Form>
  );
}
