import { hasCode } from '../../../protocol/light.ts';

/** How often the files of an index may be others than the catalog said a moment ago. */
const TRIES = 5;

/** Runs what opens the files that the catalog lists, again where one has just been replaced by others. */
export function whileFilesChange(open: () => void): void {
  for (let left = TRIES; ; left--) {
    try {
      open();
      return;
    } catch (error) {
      if (left === 0 || !hasCode(error, 'ENOENT')) throw error;
    }
  }
}
