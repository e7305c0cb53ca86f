// docs/protocol, R81: what the page collects is what a service takes, or is refused before anything is sent.
import { expect, it } from 'vitest';
import { collectFolder } from '../../src/renderer/screens/cases/collect-folder.ts';
import { COLLECTION_LIMITS } from '../../src/reports/case-file/index.ts';

const MEANS = { by: null, signal: new AbortController().signal, onProgress: () => {} };
const LOG = 'type=SYSCALL msg=audit(1763804400.123:1): arch=c000003e syscall=59 success=yes exit=0 pid=7 comm="ls"\n';

/** A folder of logs whose paths are as long as one may be. */
function folderOf(count: number) {
  const files = Array.from({ length: count }, (_, n) => {
    const path = `logs/${String(n).padStart(8, '0')}${'x'.repeat(COLLECTION_LIMITS.pathCharacters - 13)}`;
    return { path, file: new File([LOG], 'audit.log', { lastModified: 1_763_804_400_000 }) };
  });
  return { name: 'logs', files, passedOver: 0 };
}

it('is refused where its list of files is longer than a reader takes', async () => {
  const enough = Math.floor(COLLECTION_LIMITS.manifestBytes / (COLLECTION_LIMITS.pathCharacters + 400));
  expect(await collectFolder(folderOf(enough), MEANS)).toBeInstanceOf(File);
  const tooMany = Math.ceil(COLLECTION_LIMITS.manifestBytes / COLLECTION_LIMITS.pathCharacters);
  expect(await collectFolder(folderOf(tooMany), MEANS)).toBe('LIST_TOO_LONG');
});

it('is not made where nothing is recognised', async () => {
  const file = new File(['nothing'], 'a.txt');
  expect(await collectFolder({ name: 'a', files: [{ path: 'a/a.txt', file }], passedOver: 0 }, MEANS)).toBe(
    'NOTHING_FOUND',
  );
});
