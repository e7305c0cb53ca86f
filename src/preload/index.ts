import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge, Upload } from '../api/index.ts';

const { electron, chrome, node } = process.versions;

/** The files that came since the last time: the desktop keeps them until the page asks. */
async function takeOpened(listener: (file: Upload) => void): Promise<void> {
  for (const file of (await ipcRenderer.invoke('countersign:take-opened')) as readonly Upload[]) listener(file);
}

/** All that a page learns and can ask of the desktop. The bridge copies and freezes it; ipcRenderer itself stays here. */
const bridge: DesktopBridge = {
  platform: process.platform,
  versions: { electron, chrome, node },
  copyText: (text) => ipcRenderer.invoke('countersign:copy-text', text),
  onFileOpened: (listener) => {
    ipcRenderer.on('countersign:opened', () => void takeOpened(listener));
    void takeOpened(listener);
  },
  entered: (pageSecret) => ipcRenderer.invoke('countersign:entered', pageSecret),
  onGo: (listener) => {
    // The event itself would hand the page a way to this side.
    ipcRenderer.on('countersign:go', (_event, path: string) => listener(path));
  },
  jobEnded: (job) => ipcRenderer.invoke('countersign:job-ended', job),
  revealDownload: () => ipcRenderer.invoke('countersign:reveal-download'),
  openExternal: (address) => ipcRenderer.invoke('countersign:open-external', address),
};

contextBridge.exposeInMainWorld('countersign', bridge);
