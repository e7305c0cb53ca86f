import { createReadStream } from 'node:fs';
import type { CaseFailureCode, CaseFileKind } from '../../api/index.ts';
import { DamagedArchive, gunzipFile } from '../../node/index.ts';
import { type BundleSource, CodedError } from '../../protocol/index.ts';

/** Why a file cannot become a case, in a sentence for whoever brought it. */
export class CaseRefused extends CodedError<CaseFailureCode> {
  override readonly name = 'CaseRefused';
}

/** Larger ones are no faster, and stay in memory longer than they are needed. */
const CHUNK = 64 * 1024;

export interface SourceOptions {
  /** Is told how many bytes of the file as it lies on the disk were read since the last time. */
  readonly onBytes?: (bytes: number) => void;
  /** A small compressed file can hold more than any disk: beyond this many bytes of plain JSON reading stops. */
  readonly maxPlainBytes: number;
  /** Gives what there is of a compressed file whose end is missing. */
  readonly acceptsCutOff?: boolean;
}

async function* told(chunks: AsyncIterable<Uint8Array>, { maxPlainBytes }: SourceOptions): AsyncGenerator<Uint8Array> {
  let plain = 0;
  try {
    for await (const chunk of chunks) {
      plain += chunk.length;
      if (plain > maxPlainBytes) {
        throw new CaseRefused('FILE_TOO_LARGE', `the bundle has more than ${maxPlainBytes} bytes once unpacked`);
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof DamagedArchive) {
      throw new CaseRefused(error.isCutOff ? 'FILE_CUT_OFF' : 'FILE_DAMAGED', error.message);
    }
    if (error instanceof Error && error.name === 'ExtractError') {
      throw new CaseRefused('FILE_DAMAGED', `the file ${error.message.replace(/^the file /, '')}`);
    }
    throw error;
  }
}

async function* counted(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Uint8Array>) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* attached(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  // Loaded only now: reports bring a PDF library, which takes its time.
  const { openAttachedBundle } = await import('../../reports/pdf/index.ts');
  const { source } = await openAttachedBundle(path);
  for await (const chunk of source()) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/**
 * The bundle in a file, plain, compressed or attached to a report. Every reading starts at the beginning.
 * @throws CaseRefused FILE_DAMAGED, FILE_CUT_OFF, FILE_TOO_LARGE while it is read
 */
export function caseSource(path: string, kind: CaseFileKind, options: SourceOptions): BundleSource {
  const { onBytes = (): void => undefined, acceptsCutOff = false } = options;
  if (kind === 'bundle-gzip') return () => told(gunzipFile(path, { onBytes, acceptsCutOff }), options);
  if (kind === 'report-pdf') return () => told(attached(path, onBytes), options);
  return () => told(counted(path, onBytes), options);
}
