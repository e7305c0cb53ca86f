import { mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import type { RecordFormName } from '../../actions/index.ts';
import { fileDigest, putInPlace } from '../../node/index.ts';
import { RecordFile } from '../evidence/record-files/record-file.ts';
import { eachHandedPage, handedRecords } from '../search/queries/handed-records.ts';
import { indexImported } from './case-contents.ts';
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
 * Writes records of a bundle as a file for another program. The bundle is indexed as a case is, so that a query finds in it what it finds
 * in the case room; it is not verified.
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
    indexImported(index, folder, () => {
      signal.throwIfAborted();
      return true;
    });
    const part = join(folder, basename(outPath));
    const records = await writeRecords(folder, part, {
      form,
      of: { name, digest: sha256, version: packageJson.version },
      filter: { query, zone },
      now,
      means: { signal, onProgress },
    });
    await putInPlace(part, outPath);
    return records;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Writing {
  readonly form: RecordFormName;
  readonly of: ConstructorParameters<typeof RecordFile>[2];
  readonly filter: Pick<RecordsOfBundle, 'query' | 'zone'>;
  readonly now: number;
  readonly means: RecordsOfBundleMeans;
}

async function writeRecords(folder: string, path: string, { form, of, filter, now, means }: Writing): Promise<number> {
  const open = new OpenCase(folder);
  try {
    const out = new RecordFile(path, form, of);
    let written = 0;
    try {
      const records = await eachHandedPage(
        (place) => {
          open.begin(means.signal);
          return handedRecords(open.contents(), { filter }, place, { now });
        },
        ({ lines, count }) => {
          out.add(lines);
          written += count;
          means.onProgress('writing', written, null);
        },
      );
      out.end();
      return records;
    } finally {
      out.close();
    }
  } finally {
    open.close();
  }
}
