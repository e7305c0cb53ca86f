import { createHash } from 'node:crypto';
import { canonicalBytes, type Json } from '../../src/protocol/index.ts';
import { archiveOf, entriesOf } from './case-items.ts';

/**
 * A case file with an entry changed.
 * @param fits whether the digests in its manifest are made to fit, and its signature goes, as a forger does
 */
export function forgedCase(file: Buffer, name: string, change: (text: string) => string, fits = true): Buffer {
  const entries = entriesOf(file).filter((one) => !fits || one.name !== 'seal.json');
  const changed = entries.map((one) =>
    one.name === name ? { name, bytes: Buffer.from(change(one.bytes.toString())) } : one,
  );
  if (!fits) return archiveOf(changed);
  const about = JSON.parse(changed[0]?.bytes.toString() ?? '') as Record<string, Record<string, unknown>>;
  const member = name.split('.')[0] ?? '';
  const bytes = changed.find((one) => one.name === name)?.bytes ?? Buffer.alloc(0);
  const lines = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
  const headHash = (): unknown => (JSON.parse(lines.at(-1) ?? '{}') as { entry_hash?: string }).entry_hash;
  const counts = {
    custody: () => ({ entries: lines.length, head_hash: headHash() ?? null }),
    notes: () => ({ records: lines.length }),
  };
  const counted = member === 'custody' || member === 'notes' ? counts[member]() : {};
  const sha256 = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  about[member] = { ...about[member], ...counted, bytes: bytes.length, sha256 };
  return archiveOf([{ name: 'manifest.json', bytes: Buffer.from(canonicalBytes(about as Json)) }, ...changed.slice(1)]);
}
