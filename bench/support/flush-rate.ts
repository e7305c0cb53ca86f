import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BLOCK = Buffer.alloc(8192, 1);

/**
 * How often a second this disk makes 8 kilobytes durable, one after the other, where the benches keep their folders.
 * Disks that others use too change this many times over from one second to the next: a rate of durable work says little
 * without it.
 */
export function flushRate(milliseconds = 300): number {
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
  const file = openSync(join(folder, 'flushed'), 'w');
  try {
    writeSync(file, BLOCK, 0, BLOCK.length, 0);
    fsyncSync(file);
    const began = performance.now();
    let done = 0;
    let elapsed = 0;
    for (; elapsed < milliseconds; elapsed = performance.now() - began) {
      writeSync(file, BLOCK, 0, BLOCK.length, 0);
      fdatasyncSync(file);
      done++;
    }
    return (done / elapsed) * 1000;
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
