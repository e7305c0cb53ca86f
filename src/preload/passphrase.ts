import { contextBridge, ipcRenderer } from 'electron';
import type { PassphraseBridge } from '../api/index.ts';

/** All that the page for a passphrase can ask of the desktop. */
const bridge: PassphraseBridge = {
  purpose: () => ipcRenderer.invoke('countersign:passphrase-purpose'),
  submit: (passphrase) => ipcRenderer.invoke('countersign:passphrase-submit', passphrase),
};

contextBridge.exposeInMainWorld('countersignPassphrase', bridge);
