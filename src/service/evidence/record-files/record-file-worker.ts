/** The thread that writes records as files for other programs: it compresses and escapes, while the service keeps serving. */
import type { RecordFormName } from '../../../actions/index.ts';
import { serveRequests } from '../../../node/index.ts';
import { RecordFile } from './record-file.ts';
import type { RecordsOf } from './text-forms.ts';

/** A step of a file, which is known by its path. */
export type RecordFileStep =
  | { readonly step: 'begin'; readonly path: string; readonly form: RecordFormName; readonly of: RecordsOf }
  | { readonly step: 'add'; readonly path: string; readonly lines: Uint8Array }
  | { readonly step: 'end' | 'drop'; readonly path: string };

const files = new Map<string, RecordFile>();

function fileAt(path: string): RecordFile {
  const file = files.get(path);
  if (file === undefined) throw new Error('a step of a file that was not begun');
  return file;
}

function close(path: string): void {
  files.get(path)?.close();
  files.delete(path);
}

serveRequests<RecordFileStep, void>(
  (request) => {
    const { path } = request;
    if (request.step === 'begin') files.set(path, new RecordFile(path, request.form, request.of));
    else if (request.step === 'add') fileAt(path).add(request.lines);
    else if (request.step === 'drop') close(path);
    else {
      fileAt(path).end();
      close(path);
    }
  },
  {
    onEnd: () => {
      for (const path of [...files.keys()]) close(path);
    },
  },
);
