import type { BrowserWindow } from './browser-window.ts';

/** The windows there are, oldest first. */
export const windows: BrowserWindow[] = [];
