import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentPaths } from '../../search/content-index/catalog.ts';
import { ServiceError } from '../../store/base/service-error.ts';

/** Asks the thread that writes the content index of an archive to make it again: whoever reads it found damage. */
const ASKED = 'content.again';

/** @throws ServiceError CONFLICT where the records of an archive are not searchable yet */
export function needContents(folder: string): void {
  if (existsSync(contentPaths(folder).catalog) && !existsSync(join(folder, ASKED))) return;
  throw new ServiceError('CONFLICT', 'the index of the archive is being made: try again', {}, 5);
}

export function askForContents(folder: string): void {
  writeFileSync(join(folder, ASKED), '', { mode: 0o600 });
}

/** Whether it was asked for. */
export function areContentsAsked(folder: string): boolean {
  return existsSync(join(folder, ASKED));
}

/** To be called once what was there is gone. */
export function contentsAreMade(folder: string): void {
  rmSync(join(folder, ASKED), { force: true });
}
