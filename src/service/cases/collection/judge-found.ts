import type { CancelSignal } from '../../../protocol/index.ts';
import type { ItemFile } from '../items/item-file.ts';
import { type FoundFile, openFoundItem } from './found-files.ts';
import { checkDigests, openCollection } from './read-collection.ts';
import type { UnsignedKind } from './unsigned.ts';

function countOf(files: readonly FoundFile[], of: NonNullable<FoundFile['kind']>['of'] | null): number {
  return files.filter(({ kind }) => (kind?.of ?? null) === of).length;
}

function counted(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;
}

/**
 * Checks a collection, or a file that is an item by itself: that its bytes are those that were collected. What they say nobody signed, and
 * no check makes it more than the word of whoever could write the file.
 * @throws CaseRefused FILE_DAMAGED, FILE_CUT_OFF
 */
export async function judgeFound(
  file: ItemFile,
  kind: UnsignedKind,
  signal: CancelSignal,
  onBytes?: (bytes: number) => void,
): Promise<{ readonly summary: string; readonly detail: unknown }> {
  if (kind === 'collection') await checkDigests(await openCollection(file.path), signal, onBytes);
  const { manifest, files } = await openFoundItem({ ...file, itemNo: 0 });
  const parts = [
    counted(countOf(files, 'transcript'), 'transcript'),
    counted(countOf(files, 'log'), 'log'),
    ...(countOf(files, null) === 0
      ? []
      : [counted(countOf(files, null), 'file that is not read', 'files that are not read')]),
  ];
  const by = manifest?.collected_by ?? null;
  const how =
    manifest === null
      ? ''
      : `, collected at ${manifest.collected_at}${by === null ? '' : ` by ${by}, as the collection says`}`;
  return {
    summary: `${parts.join(', ')}${how}. Nothing of it was signed when it happened.`,
    detail: {
      manifest: manifest && { ...manifest, files: manifest.files.length },
      files: files.map(({ fileNo, foundAt, bytes, sha256, modifiedMs, changed, kind: of }) => ({
        file_no: fileNo,
        path: foundAt,
        bytes,
        sha256,
        modified_ms: modifiedMs,
        changed,
        kind: of === null ? null : of.of === 'log' ? of.log : of.of === 'transcript' ? of.program : of.of,
      })),
    },
  };
}
