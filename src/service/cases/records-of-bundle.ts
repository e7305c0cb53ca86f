import { mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { prepareRules, type RecordFormName } from '../../actions/index.ts';
import { fileDigest, putInPlace } from '../../node/index.ts';
import { RecordFile } from '../evidence/record-files/record-file.ts';
import { eachHandedPage, everyHandedRecord, type HandedPage, handedRecords } from '../search/queries/handed-records.ts';
import { indexImported, withRecords } from './case-contents.ts';
import { NAMES } from './case-folder.ts';
import { CaseRefused } from './case-source.ts';
import { kindOfFile } from './file-kind.ts';
import { OpenCase } from './reads/open-case.ts';
import { makeIndex } from './verify-case.ts';

/** Which records of a bundle are written, and as what. */
export interface RecordsOfBundle {
  readonly bundle: string;
  /** What the written file calls it; by its own name where this is left out. */
  readonly name?: string;
  readonly form: RecordFormName;
  /** Of the query language; every record where it is left out. */
  readonly query?: string | undefined;
  /** The zone of its dates; UTC where it is left out. */
  readonly zone?: string | undefined;
  /** A file there is replaced. */
  readonly outPath: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface RecordsOfBundleMeans {
  readonly signal: AbortSignal;
  readonly onProgress: (what: 'reading' | 'writing', done: number, of: number | null) => void;
}

/**
 * Writes records of a bundle as a file for another program. Where a query chooses, the bundle is indexed as a case is, so that it finds in it
 * what it finds in the case room; else all records are written, in the order of the file. It is not verified.
 * @returns how many records were written
 * @throws CaseRefused, ServiceError VALIDATION_ERROR; what writing fails with
 */
export async function writeRecordsOfBundle(
  { bundle, name = basename(bundle), form, query, zone, outPath, now }: RecordsOfBundle,
  { signal, onProgress }: RecordsOfBundleMeans,
): Promise<number> {
  const kind = await kindOfFile(bundle);
  if (kind !== 'bundle' && kind !== 'bundle-gzip' && kind !== 'report-pdf') {
    throw new CaseRefused('NOT_A_BUNDLE', 'the file is not a bundle');
  }
  const { size, sha256 } = await fileDigest(bundle, { signal });
  const folder = await mkdtemp(join(dirname(outPath), '.countersign-export-'));
  try {
    const index = join(folder, NAMES.index);
    const file = { path: bundle, kind, bytes: size, maxPlainBytes: Number.MAX_SAFE_INTEGER };
    await makeIndex(file, [], index, {
      signal,
      onProgress: ({ bytes }) => onProgress('reading', bytes, size),
    });
    const part = join(folder, basename(outPath));
    const out = new RecordFile(part, form, { name, digest: sha256, version: packageJson.version });
    let written = 0;
    const write = ({ lines, count }: HandedPage): void => {
      signal.throwIfAborted();
      out.add(lines);
      written += count;
      onProgress('writing', written, null);
    };
    try {
      if (query === undefined) {
        await withRecords(index, folder, (source) => {
          const of = { source, rules: prepareRules(source.rules()) };
          return eachHandedPage((place) => everyHandedRecord(of, place), write);
        });
      } else {
        await indexImported(index, folder, () => {
          signal.throwIfAborted();
          return true;
        });
        await eachMeant(folder, { filter: { query, zone }, now, signal }, write);
      }
      out.end();
    } finally {
      out.close();
    }
    await putInPlace(part, outPath);
    return written;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Meant {
  readonly filter: Pick<RecordsOfBundle, 'query' | 'zone'>;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Takes the pages of what a filter means. */
async function eachMeant(folder: string, { filter, now, signal }: Meant, take: (page: HandedPage) => void) {
  const open = new OpenCase(folder);
  try {
    await eachHandedPage((place) => {
      open.begin(signal);
      return handedRecords(open.contents(), { filter }, place, { now });
    }, take);
  } finally {
    open.close();
  }
}
