import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Upload } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import type { DroppedFile } from '../../api/dropped-files.ts';
import { chosenFolder, type Folder } from '../../api/folder-files.ts';
import { sessionQuery } from '../../api/query.ts';
import { upload } from '../../api/upload.ts';
import type { Collected, NotCollected } from './collect-folder.ts';

/** A file on its way to the service, which says what it claims to be. */
export type Uploading =
  | { readonly state: 'none' }
  | { readonly state: 'collecting'; readonly folder: Folder; readonly collected: Collected }
  | { readonly state: 'not-collected'; readonly folder: Folder; readonly why: NotCollected }
  | { readonly state: 'sending'; readonly file: File; readonly sent: number; readonly bytesPerSecond: number }
  | { readonly state: 'failed'; readonly file: File; readonly message: string }
  | { readonly state: 'done'; readonly upload: Upload };

/** Sends one file at a time; another one takes its place, and what is not wanted any more is dropped by the service too. */
export function useUpload() {
  const [uploading, setUploading] = useState<Uploading>({ state: 'none' });
  const running = useRef<AbortController | null>(null);
  const kept = useRef<string | null>(null);
  const { data: session } = useQuery(sessionQuery);
  const by = session?.email ?? null;
  // What a file field shows cannot be set: the field is made again with each round.
  const [round, setRound] = useState(0);
  const [dropped, setDropped] = useState<File | null>(null);

  const clear = useCallback(() => {
    running.current?.abort();
    running.current = null;
    const uploadId = kept.current;
    kept.current = null;
    // The service drops it by itself within the hour; this only spares its disk.
    if (uploadId !== null) call('deleteUpload', { params: { upload_id: uploadId } }).catch(() => undefined);
    setUploading({ state: 'none' });
  }, []);

  const send = useCallback(
    async (file: DroppedFile): Promise<void> => {
      clear();
      if (!(file instanceof File)) {
        kept.current = file.upload_id;
        setUploading({ state: 'done', upload: file });
        return;
      }
      const control = new AbortController();
      running.current = control;
      const began = performance.now();
      const tell = (sent: number): void => {
        const seconds = (performance.now() - began) / 1000;
        setUploading({ state: 'sending', file, sent, bytesPerSecond: seconds > 0 ? sent / seconds : 0 });
      };
      tell(0);
      try {
        const query = { name: file.name.slice(0, 255) };
        const done = await upload('inspectFile', { file, query, signal: control.signal, onProgress: tell });
        kept.current = done.upload_id;
        setUploading({ state: 'done', upload: done });
      } catch (error) {
        if (!control.signal.aborted) setUploading({ state: 'failed', file, message: sentenceOf(error) });
      }
    },
    [clear],
  );

  /** Collects what is recognised in a folder, and sends that as one file. */
  const sendFolder = useCallback(
    async (folder: Folder): Promise<void> => {
      clear();
      const control = new AbortController();
      running.current = control;
      const tell = (collected: Collected): void => setUploading({ state: 'collecting', folder, collected });
      tell({ looked: 0, taken: 0, bytes: 0 });
      try {
        // With it come the forms of all transcripts: for those who have a folder.
        const { collectFolder } = await import('./collect-folder.ts');
        const file = await collectFolder(folder, { by, signal: control.signal, onProgress: tell });
        if (control.signal.aborted) return;
        if (file instanceof File) await send(file);
        else setUploading({ state: 'not-collected', folder, why: file });
      } catch (error) {
        if (!control.signal.aborted) throw error;
      }
    },
    [by, clear, send],
  );

  /** The file is not wanted any more. */
  const discard = useCallback(() => {
    clear();
    setDropped(null);
    setRound((before) => before + 1);
  }, [clear]);

  /** Sends a file that did not come by the field. */
  const take = useCallback(
    (file: DroppedFile | Folder) => {
      discard();
      setDropped(file instanceof File ? file : null);
      void ('files' in file ? sendFolder(file) : send(file));
    },
    [discard, send, sendFolder],
  );

  /** It belongs to a case now. */
  const hand = useCallback(() => {
    kept.current = null;
  }, []);

  useEffect(() => () => running.current?.abort(), []);
  /** Sends what a field for folders was given. */
  const choose = (files: readonly File[]): void => {
    const folder = chosenFolder(files);
    if (folder === null) discard();
    else void sendFolder(folder);
  };
  return { uploading, round, dropped, send, choose, take, discard, hand };
}
