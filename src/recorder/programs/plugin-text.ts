import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { resourcePath } from '../../node/light.ts';

/** The line by which a plugin has what speaks to the recorder. */
const IMPORT = /^import .* from '\.\/plugin-client\.js';\n/m;

/**
 * The plugin of a program in one file, for the recorder that a script of a hook is of.
 * @param id of the program; what differs is in resources/recorder
 */
export function pluginText(id: 'opencode' | 'pi', script: string): string {
  const own = readFileSync(resourcePath('recorder', `${id}-plugin.js`), 'utf8');
  const client = readFileSync(resourcePath('recorder', 'plugin-client.js'), 'utf8');
  return `${own.replace(IMPORT, '')}\n${client.replaceAll(/^export /gm, '')}`.replace(
    'const FOLDER = undefined;',
    // In a replacement a dollar sign would mean something.
    () => `const FOLDER = ${JSON.stringify(dirname(dirname(script)))};`,
  );
}
