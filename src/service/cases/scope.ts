import { satisfiesRole } from '../../api/index.ts';
import type { Member } from '../http/handler.ts';

/** Whom a case belongs to: an organization, or the workstation where nobody was signed in. */
export type Owner = { readonly orgId: string } | 'workstation';

/** Who asks: with a workstation session, as a user, or both. */
export interface Asker {
  readonly workstation: boolean;
  readonly caller: Member | null;
}

/** Who asks for a file that is made for the answer. */
export interface Waiting extends Asker {
  /** Aborted once nobody waits for the answer. */
  readonly waits: () => AbortSignal;
}

/** Whether somebody who signed in may change what belongs to their organization: readonly roles change nothing. */
function isExaminer(caller: Member | null): caller is Member {
  return caller !== null && satisfiesRole(caller.role, 'compliance_auditor');
}

/**
 * Whom what this caller makes belongs to. At the workstation it is the workstation's where the account that is signed in
 * there may change nothing of its organization.
 */
export function ownerFor({ workstation, caller }: Asker): Owner {
  return caller === null || (workstation && !isExaminer(caller)) ? 'workstation' : { orgId: caller.orgId };
}

/** An owner as a key of a map. */
export function keyOf(owner: Owner): string {
  return owner === 'workstation' ? owner : owner.orgId;
}

/** The organization that an owner is; null for the workstation. */
export function orgOf(owner: Owner): string | null {
  return owner === 'workstation' ? null : owner.orgId;
}

/** Whether this caller sees what belongs to that owner. */
export function maySee({ workstation, caller }: Asker, owner: Owner): boolean {
  return owner === 'workstation' ? workstation : caller?.orgId === owner.orgId;
}

/** Whether this caller may change what belongs to that owner. */
export function mayChange({ workstation, caller }: Asker, owner: Owner): boolean {
  return owner === 'workstation' ? workstation : isExaminer(caller) && caller.orgId === owner.orgId;
}
