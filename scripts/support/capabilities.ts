import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresFolder } from '../../src/cli/shared/postgres-pair.ts';
import { AGENT_PROGRAMS, type AgentProgramId, programBin, versionOf } from './agent-programs.ts';
import { CHDB, chdbPath } from './chdb.ts';
import { cephRoot, givenObjectStore } from './object-store.ts';
import { filesBelow, ROOT } from './paths.ts';

/** A group of tests that needs something the machine may lack. vitest.config.ts leaves out what is unavailable. */
export interface OptionalSuite {
  readonly name: string;
  readonly reason: string;
  readonly available: boolean;
  /** Its spec files, as they are in the checkout. */
  readonly files: readonly string[];
}

export const PDF_TOOLS_SPEC = /^test\/.*\.pdf-tools\.test\.ts$/;
export const ELECTRON_SPEC = /^test\/.*\.electron\.test\.ts$/;
export const OBJECT_STORE_SPEC = /^test\/.*\.s3\.test\.ts$/;
const POSTGRES_SPEC = /\.pg\.test\.ts$/;
export const ENGINE_SPEC = /^test\/.*\.chdb\.test\.ts$/;

/** The one without windows first: it starts the sooner, and takes a fifth less of the processor. */
const CHROMIUM_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where a Chromium is, or undefined. CHROMIUM_PATH decides alone when it is set. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH: chosen } = process.env;
  return (chosen ? [chosen] : CHROMIUM_PLACES).find((place) => existsSync(place));
}

interface Probe {
  /** The Debian package that has it. */
  readonly name: string;
  readonly command: string;
  /** Makes the command say its version, and end with 0. */
  readonly flag: string;
}

/** The Debian packages of the commands that are not here. */
function missingOf(probes: readonly Probe[]): string[] {
  return probes
    .filter(({ command, flag }) => spawnSync(command, [flag], { stdio: 'ignore' }).status !== 0)
    .map(({ name }) => name);
}

/** What the other implementations of test/interop run with. */
export function missingInteropTools(): string[] {
  return missingOf([
    { name: 'python3', command: 'python3', flag: '--version' },
    { name: 'curl', command: 'curl', flag: '--version' },
    { name: 'openssl', command: 'openssl', flag: 'version' },
  ]);
}

/** Programs by other people than us, with which PDFs are looked at. */
export function missingPdfTools(): string[] {
  return missingOf([
    { name: 'qpdf', command: 'qpdf', flag: '--version' },
    { name: 'poppler-utils', command: 'pdftotext', flag: '-v' },
  ]);
}

/** Path of Electron's binary, or undefined where the npm package has not been completed with it. */
export function electronPath(): string | undefined {
  const folder = join(ROOT, 'node_modules', 'electron');
  const { ELECTRON_OVERRIDE_DIST_PATH: override } = process.env;
  // path.txt is written last by Electron's installer: without it, dist may be half unpacked.
  const name = existsSync(join(folder, 'path.txt')) ? readFileSync(join(folder, 'path.txt'), 'utf8').trim() : undefined;
  if (override) return existing(join(override, name ?? (process.platform === 'win32' ? 'electron.exe' : 'electron')));
  return name === undefined ? undefined : existing(join(folder, 'dist', name));
}

function existing(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

/** The one list of what may be left out, and why. */
export function optionalSuites(): Record<
  'browser' | 'interop' | 'pdfTools' | 'electron' | 'objectStore' | 'postgres' | 'searchEngine',
  OptionalSuite
> {
  const specs = filesBelow('test').filter((path) => path.endsWith('.test.ts'));
  return {
    browser: {
      name: 'browser project (test/protocol again, in Chromium)',
      reason: 'no Chromium found; install it (Debian: apt-get install chromium) or set CHROMIUM_PATH',
      available: chromiumPath() !== undefined,
      files: specs.filter((path) => path.startsWith('test/protocol/')),
    },
    interop: {
      name: 'interop (test/interop)',
      reason: 'python3, curl or openssl not found; install them (Debian: apt-get install python3 curl openssl)',
      available: missingInteropTools().length === 0,
      files: specs.filter((path) => path.startsWith('test/interop/')),
    },
    pdfTools: {
      name: 'PDF tools (*.pdf-tools.test.ts)',
      reason: 'qpdf or poppler-utils not found; install them (Debian: apt-get install qpdf poppler-utils)',
      available: missingPdfTools().length === 0,
      files: specs.filter((path) => PDF_TOOLS_SPEC.test(path)),
    },
    electron: {
      name: 'desktop (*.electron.test.ts)',
      reason: "Electron's binary is not here; run npx install-electron or set ELECTRON_OVERRIDE_DIST_PATH",
      available: electronPath() !== undefined,
      files: specs.filter((path) => ELECTRON_SPEC.test(path)),
    },
    objectStore: {
      name: 'object store (*.s3.test.ts)',
      reason:
        'no Ceph found; install it (Debian: apt-get install radosgw ceph-mon ceph-osd ceph-common), unpack it below COUNTERSIGN_CEPH, or name a bucket in COUNTERSIGN_TEST_S3',
      available: cephRoot() !== undefined || givenObjectStore() !== undefined,
      files: specs.filter((path) => OBJECT_STORE_SPEC.test(path)),
    },
    postgres: {
      name: 'shared log in PostgreSQL (*.pg.test.ts)',
      reason:
        'no PostgreSQL 15 or later found; install it (Debian: apt-get install postgresql), or name the folder of initdb in COUNTERSIGN_POSTGRES',
      available: postgresFolder() !== undefined,
      files: specs.filter((path) => POSTGRES_SPEC.test(path)),
    },
    searchEngine: {
      name: 'search engine (*.chdb.test.ts)',
      reason: `no ClickHouse found; npm install ${CHDB.package}@${CHDB.version} in an empty folder, and name it in COUNTERSIGN_CHDB`,
      available: chdbPath() !== undefined,
      files: specs.filter((path) => ENGINE_SPEC.test(path)),
    },
  };
}

/** The tests that run a program whose actions are recorded, a suite for each. */
export function agentSuites(): OptionalSuite[] {
  return (Object.keys(AGENT_PROGRAMS) as AgentProgramId[]).map((id) => ({
    name: `${AGENT_PROGRAMS[id].name} (test/agents/${id}.test.ts)`,
    reason: `version ${versionOf(id)} is not installed; npm run test:agents installs it`,
    available: programBin(id) !== undefined,
    // Over the Agent Client Protocol, Gemini CLI is run once more.
    files: [`test/agents/${id}.test.ts`, ...(id === 'gemini' ? ['test/agents/acp.test.ts'] : [])],
  }));
}
