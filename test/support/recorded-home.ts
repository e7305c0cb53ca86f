import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { OWN_KEEPER, recorderHome, type Surroundings } from '../../src/recorder/index.ts';
import { temporaryFolder } from './folders.ts';

/** Somebody's HOME with nothing in it but what a test puts there. */
export class RecordedHome {
  readonly path = temporaryFolder();
  readonly around: Surroundings;

  constructor(environment: NodeJS.ProcessEnv = {}) {
    const cwd = join(this.path, 'project');
    mkdirSync(cwd);
    const own = { HOME: this.path, PATH: '/usr/bin:/bin', ...environment };
    this.around = { home: recorderHome(own), environment: own, userHome: this.path, cwd, keeper: OWN_KEEPER };
  }

  put(name: string, text: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /** Every file outside the recorder's folder, with its mode and digest. */
  state(): Record<string, string> {
    const files = readdirSync(this.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
    const own = paths.filter((path) => !path.startsWith(this.around.home.folder));
    return Object.fromEntries(
      own.map((path) => {
        const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
        return [relative(this.path, path), `${(statSync(path).mode & 0o777).toString(8)} ${digest}`];
      }),
    );
  }
}
