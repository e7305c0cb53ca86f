import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../src/protocol/text/light.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';

const PIECE = Buffer.alloc(16 * 1024 * 1024);

/** A small file system of its own in memory, which can be full and be set read-only. */
export class SmallDisk {
  readonly folder = temporaryFolder();

  /** @throws where this machine does not let us mount one: ask `canMount` first */
  constructor(mebibytes: number) {
    mount('-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=700`, 'tmpfs', this.folder);
    // Lazily: a process that a failed test left may have it open.
    atEnd(() => spawnSync('umount', ['-l', this.folder]));
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Takes all room but some. */
  fill(leftBytes = 0): void {
    const file = openSync(this.#filler, 'w');
    try {
      // In pieces: what is free may be more than memory is to hold twice.
      for (let more = this.freeBytes - leftBytes; more > 0; more -= PIECE.length) {
        writeSync(file, PIECE, 0, Math.min(more, PIECE.length));
      }
    } catch (error) {
      // The service has taken some of it meanwhile: then it is as full as can be.
      if (!hasCode(error, 'ENOSPC')) throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Gives back what was filled. */
  clear(): void {
    rmSync(this.#filler, { force: true });
  }

  get #filler(): string {
    return join(this.folder, 'filler');
  }

  setReadOnly(): void {
    mount('-o', 'remount,ro', this.folder);
  }
}

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
}

/** Whether this machine lets us mount: as root on Linux, mostly. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = temporaryFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status !== 0) return false;
  spawnSync('umount', [folder]);
  return true;
}
