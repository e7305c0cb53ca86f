// Preloaded by the host's process (node --import): from here on `electron` is the module beside this file.
import { registerHooks } from 'node:module';

const HOST = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: HOST, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});
