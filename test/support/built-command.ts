import { join } from 'node:path';
import { ROOT } from '../../scripts/support/paths.ts';

/** As deep below the root as the desktop's own: the product looks for its resources from there. */
export const BUILT_FOLDER = join(ROOT, 'out', 'threads');

/** The command's door before what built-threads.ts builds there instead of the sources, with all that the door does itself. */
export const BUILT_COMMAND = join(BUILT_FOLDER, 'countersign.js');
