import { contextBridge } from 'electron';

const { electron, chrome, node } = process.versions;

/** All that a page learns about the desktop. The bridge copies and freezes it; no function crosses over. */
contextBridge.exposeInMainWorld('countersign', { platform: process.platform, versions: { electron, chrome, node } });
