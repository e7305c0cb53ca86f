import { statfsSync } from 'node:fs';
import { ServiceError } from './service-error.ts';

const RETRY_AFTER = 60;

/** Whose disk it is, and what of it guests leave free. */
export interface Disk {
  readonly settings: { readonly dataDir: string; readonly homeReserveBytes: number };
  readonly isHome: (orgId: string) => boolean;
}

/** How many bytes of a disk are free. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Why a guest may not write so much more, records and files alike: what is left of the disk is kept for the home organization.
 * @param free bytes of the disk
 * @returns STORAGE_FULL; null where there is room
 */
export function guestRefusal({ settings }: Pick<Disk, 'settings'>, free: number, more: number): ServiceError | null {
  if (free - more >= settings.homeReserveBytes) return null;
  const message = 'what is free on the disk is kept for the home organization: send it again once there is room';
  return new ServiceError('STORAGE_FULL', message, {}, RETRY_AFTER);
}

/** Tells why somebody may not write this many bytes more. @param orgId null for the workstation */
export type DiskRefusal = (orgId: string | null, more: number) => ServiceError | null;

/** Asks the disk itself, each time. */
export function diskRefusal(disk: Disk): DiskRefusal {
  return (orgId, more) =>
    orgId === null || disk.isHome(orgId) ? null : guestRefusal(disk, freeBytes(disk.settings.dataDir), more);
}

/** @throws ServiceError what a refusal says, if there is one */
export function throwRefusal(refusal: ServiceError | null): void {
  if (refusal !== null) throw refusal;
}
