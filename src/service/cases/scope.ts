import type { Member } from '../http/handler.ts';

/** Whom a case belongs to: an organization, or the workstation where nobody was signed in. */
export type Owner = { readonly orgId: string } | 'workstation';

/** Who asks: with a workstation session, as a user, or both. */
export interface Asker {
  readonly workstation: boolean;
  readonly caller: Member | null;
}

/** Whom what this caller makes belongs to. */
export function ownerFor({ caller }: Asker): Owner {
  return caller === null ? 'workstation' : { orgId: caller.orgId };
}

/** An owner as a key of a map. */
export function keyOf(owner: Owner): string {
  return owner === 'workstation' ? owner : owner.orgId;
}

/** Whether this caller sees what belongs to that owner. */
export function maySee({ workstation, caller }: Asker, owner: Owner): boolean {
  return owner === 'workstation' ? workstation : caller?.orgId === owner.orgId;
}
