import { closeSync, constants, openSync } from 'node:fs';
import { expect } from 'vitest';

/** Whether somebody reads at the other end of a pipe. */
export function isRead(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENXIO' });
    return false;
  }
}
