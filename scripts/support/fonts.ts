import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '../../src/protocol/text/light.ts';
import { ROOT } from './paths.ts';

/** Where fontconfig looks as it comes with a system. */
const FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.fonts'),
  join(homedir(), '.local', 'share', 'fonts'),
];

/** Whether this machine has any font for Chromium to begin with: on Linux it ends in a crash without. */
export function hasFonts(): boolean {
  return process.platform !== 'linux' || FOLDERS.some(holdsFont);
}

function holdsFont(folder: string): boolean {
  try {
    return readdirSync(folder, { recursive: true }).some((name) =>
      /\.(ttf|otf|ttc|otc|pf[ab]|pcf\.gz)$/.test(String(name)),
    );
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/**
 * A configuration of fontconfig that finds the fonts of the repository alone.
 * @param folder where it is written
 * @returns its path, for FONTCONFIG_FILE
 */
export function writeFontsConfiguration(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'fonts.conf');
  const fonts = join(ROOT, 'resources', 'fonts');
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir></fontconfig>`,
  );
  return path;
}
