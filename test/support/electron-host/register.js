// Preloaded by the host's process (node --import): from here on `electron` is the module beside this file. In plain
// JavaScript, for every worker thread loads it as well, and would load what takes types away for it.
import { registerHooks } from 'node:module';

const HOST = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: HOST, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});
