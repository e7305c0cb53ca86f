import { statfs } from 'node:fs/promises';

/** So much of the disk stays free: the ledger on it must go on, in bytes. */
const DISK_RESERVE_BYTES = 256 * 1024 * 1024;

/** How many bytes the disk of a folder has to spare. */
export async function bytesToSpare(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize - DISK_RESERVE_BYTES;
}
