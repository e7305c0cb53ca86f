import { type CoherenceReport, coherenceOf, noCoherence } from '../../profile/index.ts';
import type { VerificationReport } from '../../protocol/index.ts';
import { caseSource } from './case-source.ts';
import type { JobMeans } from './job-messages.ts';
import type { StoredFile } from './stored-file.ts';

/**
 * Whether the records of a case fit together. Reads the file once more, where the payload profile is named in it.
 * @param isNamed whether the name occurs in the bytes of the bundle
 */
export function caseCoherence(
  file: StoredFile,
  report: VerificationReport,
  isNamed: boolean,
  { crypto, signal, onProgress }: JobMeans,
): Promise<CoherenceReport> | CoherenceReport {
  if (!isNamed) return noCoherence();
  let bytes = 0;
  const source = caseSource(file.path, file.kind, { ...file, onBytes: (read) => (bytes += read) });
  const onRecords = (records: number): void => onProgress({ phase: 'coherence', bytes, records });
  return coherenceOf(source, report, { sha256: crypto.sha256, signal, onRecords });
}
