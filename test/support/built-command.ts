import { join } from 'node:path';
import { ROOT } from '../../scripts/support/paths.ts';

/** As deep below the root as the desktop's own: the product looks for its resources from there. */
export const BUILT_FOLDER = join(ROOT, 'out', 'threads');

/** The command's door before what built-threads.ts builds there instead of the sources, with all that the door does itself. */
export const BUILT_COMMAND = join(BUILT_FOLDER, 'countersign.js');

/** The programs that tests start as processes of services: named as they are built, and their files. step-child.ts looks at the sources' own stacks. */
export const CHILDREN = {
  'archive-child': 'test/support/archive-child.ts',
  'archive-writer-child': 'test/support/archive-writer-child.ts',
  'central-child': 'test/support/central-child.ts',
  'recorder-child': 'test/support/recorder-processes/recorder.ts',
  'witness-child': 'test/support/recorder-processes/witness.ts',
} as const;

/** One of them as built-threads.ts builds it: from the sources it, and each thread of its service, would take several times as long to start. */
export function builtChild(name: keyof typeof CHILDREN): string {
  return join(BUILT_FOLDER, `${name}.js`);
}
