import type { QueryClient } from '@tanstack/react-query';
import { call, fetchFile } from '../../api/call.ts';
import { download } from '../../api/download.ts';
import { type Ledger, operationOf } from '../../api/ledger/ledger.ts';
import { upload } from '../../api/upload.ts';
import { type CaseSigner, draftCaseFile, saveCaseFile } from '../../decisions/sign-case.ts';
import { HAND_OVER } from './texts.ts';

/** How far something is that takes its time; without numbers where nobody can tell. */
export interface Step {
  readonly what: string;
  readonly done?: number;
  readonly of?: number;
}

export interface Making {
  readonly signal: AbortSignal;
  readonly onStep: (step: Step) => void;
}

/** How often a job is looked at, in milliseconds. */
const LOOK_MS = 400;

/** Asks until the answer is the last one. @throws CallFailed, and what the signal was ended with */
async function ended<T>(ask: () => Promise<T>, isEnd: (state: T) => boolean, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const state = await ask();
    if (isEnd(state)) return state;
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

/** Has the browser save a case as one file. @returns whether it is signed @throws CallFailed; Error where its custody log is damaged */
export async function saveSealedCase(caseId: string, signer: CaseSigner | null, { signal, onStep }: Making) {
  onStep({ what: HAND_OVER.steps.sealing });
  const draft = await draftCaseFile(caseId);
  if (draft.damage.length > 0) throw new Error(HAND_OVER.custodyDamaged);
  signal.throwIfAborted();
  const { file_id, signed } = await saveCaseFile(signer, caseId, draft);
  signal.throwIfAborted();
  await download('savedCase', { params: { case_id: caseId, file_id } });
  return signed;
}

/** What an export is asked for that has these records, and all between them. */
export async function rangeOf(
  means: { readonly ledger: Ledger; readonly client: QueryClient },
  records: readonly { readonly seqNo: number; readonly operationId: string }[],
) {
  const inOrder = records.toSorted((a, b) => a.seqNo - b.seqNo);
  const ends = await Promise.all(
    [inOrder.at(0), inOrder.at(-1)].map((end) =>
      means.client.fetchQuery({ ...operationOf(means.ledger, end?.operationId ?? ''), staleTime: 60_000 }),
    ),
  );
  const times = ends.map(({ ear }) => Date.parse(ear.server_received_at));
  return {
    startTime: new Date(Math.min(...times)).toISOString(),
    endTime: new Date(Math.max(...times) + 1).toISOString(),
    admin_events: 'agents',
  };
}

interface CaseToMake {
  readonly range: object;
  readonly name: string;
  readonly proof: () => Promise<Blob>;
  readonly signer: CaseSigner | null;
}

/**
 * Makes a case of records of the live ledger and saves it: a bundle of the time they were received in, which becomes the case, and the proof of these
 * records as an item of it. Export and case stay in their lists; of what is cancelled or fails, nothing does.
 * @returns whether the saved file is signed
 * @throws CallFailed, Error; what the signal was ended with
 */
export async function makeSealedCase(asked: CaseToMake, { signal, onStep }: Making): Promise<boolean> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    onStep({ what: HAND_OVER.steps.exporting });
    const { exportId } = await call('createExport', { body: { ...asked.range, format: 'json' } });
    const params = { export_id: exportId };
    undo.push(() => call('deleteExport', { params }));
    const job = await ended(
      () => call('getExport', { params, signal }),
      ({ status, progress }) => {
        onStep({ what: HAND_OVER.steps.exporting, done: progress, of: 1 });
        return status !== 'processing';
      },
      signal,
    );
    if (job.status !== 'completed') throw new Error(job.failure ?? HAND_OVER.exportFailed);
    onStep({ what: HAND_OVER.steps.importing });
    const send = async (file: Blob, name: string) =>
      (await upload('inspectFile', { file, query: { name }, signal })).upload_id;
    const bundle = await fetchFile('downloadExport', { params, signal });
    const body = { upload_id: await send(bundle, `${exportId}.csbundle`), name: asked.name, trusted_kids: [] };
    const { case_id } = await call('createCase', { body });
    const ofCase = { params: { case_id } };
    undo.push(async () => {
      await call('cancelCase', ofCase).catch(() => undefined);
      await call('deleteCase', ofCase);
    });
    const made = await ended(
      () => call('getCase', { ...ofCase, signal }),
      ({ state, verifying }) => state !== 'importing' && !verifying,
      signal,
    );
    if (made.state !== 'ready') throw new Error(made.failure?.message ?? HAND_OVER.importFailed);
    onStep({ what: HAND_OVER.steps.proving });
    const item = { upload_id: await send(await asked.proof(), 'selection.csproof') };
    await call('addItem', { ...ofCase, body: item, signal });
    await ended(
      () => call('listItems', { ...ofCase, signal }),
      ({ checking }) => checking === 0,
      signal,
    );
    return await saveSealedCase(case_id, asked.signer, { signal, onStep });
  } catch (error) {
    // What cannot be taken back is in its list, and why the rest failed is what somebody has to know.
    for (const step of undo.toReversed()) await step().catch(() => undefined);
    throw error;
  }
}
