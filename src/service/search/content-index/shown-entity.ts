import type { TouchedEntity } from '../../../actions/index.ts';
import type { ShownEntity } from '../../../api/index.ts';

/** An entity as answers name it, with what tells that it is a guess. */
export function shownEntity({ kind, id, access, declared, at, accessFrom }: TouchedEntity): ShownEntity {
  return { kind, id, access, declared, read_from: at, access_from: accessFrom };
}
