import { readFileSync } from 'node:fs';
import type { WebPreferences } from './web-contents.ts';

/**
 * A preload script as it runs before a page's own: in a closure that has `require('electron')` and `process`, and lets out
 * only what goes over contextBridge. Where isolation is switched off, or Node let in, the page gets what it would get.
 */
export function preloadScript(path: string, preferences: WebPreferences): string {
  const { contextIsolation, nodeIntegration, sandbox } = preferences;
  const versions = { electron: '0.0.0-host', chrome: 'headless', node: process.versions.node };
  const told = { platform: process.platform, versions, argv: [], sandboxed: sandbox === true };
  return `(() => {
    if (window.__electronHostSettle) return;
    const waiting = new Map();
    let lastId = 0;
    const listeners = new Map();
    const hide = (name, value) => Object.defineProperty(window, name, { value, enumerable: false });
    const send = window.__electronHost;
    hide('__electronHostSettle', (id, { value, error }) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) resolve(value); else reject(new Error(error));
    });
    hide('__electronHostTake', (channel, args) => {
      for (const listener of listeners.get(channel) ?? []) listener({}, ...args);
    });
    const ipcRenderer = {
      invoke: (channel, ...args) => new Promise((resolve, reject) => {
        waiting.set(++lastId, { resolve, reject });
        send(JSON.stringify({ id: lastId, channel, args }));
      }),
      on: (channel, listener) => { listeners.set(channel, [...(listeners.get(channel) ?? []), listener]); },
      removeListener: (channel, listener) => {
        listeners.set(channel, (listeners.get(channel) ?? []).filter((one) => one !== listener));
      },
    };
    const copy = (value) => {
      if (typeof value === 'function') return (...args) => value(...args);
      if (typeof value !== 'object' || value === null) return value;
      return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)])));
    };
    const contextBridge = { exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: copy(api) }) };
    const process = ${JSON.stringify(told)};
    const require = (name) => {
      if (name === 'electron') return { contextBridge, ipcRenderer };
      throw new Error('module not found: ' + name);
    };
    ${contextIsolation === true ? '' : 'window.__notIsolated = { ipcRenderer };'}
    ${nodeIntegration === true ? 'window.process = process; window.require = require;' : ''}
    const module = { exports: {} };
    ((require, process, module, exports) => {
${readFileSync(path, 'utf8')}
    })(require, process, module, module.exports);
  })();`;
}
