/** How often the files of an index may be others than the catalog said a moment ago. */
const TRIES = 5;

/** Runs what opens the files that the catalog lists, again where one has just been replaced by others. */
export function whileFilesChange(open: () => void): void {
  for (let left = TRIES; ; left--) {
    try {
      open();
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error;
    }
  }
}
