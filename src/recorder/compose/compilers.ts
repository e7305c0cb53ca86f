import { setFlagsFromString } from 'node:v8';

/**
 * Turns on V8's compilers, without which a recorder is started (bin/countersign.js): they bring 8 MB into memory that one with nothing to
 * do can spare. To be called before anything is loaded that runs for every event: what has run without them is compiled late.
 */
export function startCompilers(): void {
  for (const tier of ['sparkplug', 'maglev', 'opt']) setFlagsFromString(`--${tier}`);
}
