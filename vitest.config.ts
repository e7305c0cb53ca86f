import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { agentSuites, chromiumPath, optionalSuites } from './scripts/support/capabilities.ts';
import { hasFonts, writeFontsConfiguration } from './scripts/support/fonts.ts';
import { NIGHTLY } from './scripts/support/nightly.ts';
import { CACHE } from './scripts/support/paths.ts';
import { builtThreads } from './test/support/built-threads.ts';

const suites = optionalSuites();

// Every browser of the tests inherits it.
if (!hasFonts()) process.env['FONTCONFIG_FILE'] = writeFontsConfiguration(CACHE);

/** One more than there are cores: files wait for browsers, disks and other processes about a quarter of their time. */
const WORKERS = availableParallelism() + 1;

/** How long a test may take, in milliseconds: no measure, but for the machine that has other things to do. */
const PATIENCE_MS = 120_000;

/** What a nightly run draws by, which tries everything (`npm run test:nightly`); null in the gate (test/support/extent.ts). */
const nightlySeed = process.env[NIGHTLY] === undefined ? null : Number(process.env[NIGHTLY]);

/** How all files run that run in Node. */
const IN_NODE = {
  environment: 'node',
  provide: { nightlySeed },
  maxWorkers: WORKERS,
  globalSetup: ['test/support/run-folder.ts', 'test/support/built-threads.ts'],
  // Files share their modules: loading the service anew for each takes longer than most of its tests.
  isolate: false,
  setupFiles: ['test/support/undo-at-end.ts', 'test/support/native-signing.ts'],
  // Where bin/countersign.js keeps what was compiled: the threads of services within the tests find it there as well.
  env: { NODE_COMPILE_CACHE: CACHE },
  // Patience, not a measure: several files and their browsers share the cores.
  expect: { poll: { timeout: 30_000 } },
  testTimeout: PATIENCE_MS,
  hookTimeout: PATIENCE_MS,
} satisfies TestProjectInlineConfiguration['test'];

/** What takes its time, exhaustive damage and whole processes: left to npm test, so that npm run check stays quick. */
const THOROUGH = [
  'test/actions/fields.test.ts',
  'test/agent/{agent,sessions,wait-for-decision}.test.ts',
  'test/cli/**/*.test.ts',
  'test/documentation/troubleshooting.test.ts',
  'test/interop/{erased-members,everything-given,fuzz}.test.ts',
  'test/model/**/*.test.ts',
  'test/packages/{agent,verify}.test.ts',
  'test/actions/profile/{honest,hostile}.test.ts',
  'test/protocol/{adversary,bundle-reader,damage-map,damage,ed25519,findings,withheld-events}.test.ts',
  'test/actions/query/{complete,hits,round-trip}.test.ts',
  'test/recorder/compose/**/*.test.ts',
  'test/recorder/doctor/doctor.test.ts',
  'test/recorder/engine/**/*.test.ts',
  'test/recorder/install/install.test.ts',
  'test/recorder/joining/record-size.test.ts',
  'test/recorder/listen/{hook-script,listeners}.test.ts',
  'test/recorder/mcp/stdio-proxy.test.ts',
  'test/recorder/otlp/{hostile,large-bodies}.test.ts',
  'test/recorder/programs/hostile.test.ts',
  'test/recorder/redact/hostile-texts.test.ts',
  'test/recorder/system/**/*.test.ts',
  'test/recorder/{planted-secrets,secrets}.test.ts',
  'test/reports/pdf/**/*.pdf-tools.test.ts',
  'test/reports/pdf/{chosen-report,extract,pdf-report}.test.ts',
  'test/node/**/*.test.ts',
  'test/scripts/what-starts-load.test.ts',
  'test/security/{account-takeover,address-limits,altered-pages,decisions,folder-permissions,import-queue}.test.ts',
  'test/security/{invitations,large-bodies,lock-out,log-flood,mail-relay,passkeys,quotas,readonly-role}.test.ts',
  'test/security/{restore,second-organization,setup-code,stalling-upload,stolen-session,stolen-token}.test.ts',
  'test/security/{trust-store,unread-answers}.test.ts',
  'test/service/cases/**/*.test.ts',
  'test/service/evidence/retention/{holds,sweep}.test.ts',
  'test/service/search/content-index/{same-as-reference,search-routes,upkeep}.test.ts',
  'test/service/search/airline-investigation.test.ts',
  'test/service/ledger/operation-index/{file-format,operation-index,search,segments,tiles}.test.ts',
  'test/service/operator/**/*.test.ts',
  'test/service/{access,agent-keys,agent-lifecycle,annotations,authentication,backup,batch,chosen-reports}.test.ts',
  'test/service/{disclosures,epoch-close,epochs,exports,home-name,hostile-input,key-protection}.test.ts',
  'test/service/{ledger-verification,log-tree,members,oauth,one-writer,operation-proof,operations,pace}.test.ts',
  'test/service/{record-checker,redaction,rollback,session,sessions-and-tokens,start,tail-checks}.test.ts',
  'test/service/{verify-operation,webhooks}.test.ts',
  'test/reports/verify/open-bundle.test.ts',
];

/** What replaces a module or the clock of its process, or measures its bounds, and so must not share them with other files. */
const APART = ['test/service/health.test.ts', 'test/service/one-clock.test.ts', 'test/security/dropped-bodies.test.ts'];

const apart: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: { ...IN_NODE, name: 'apart', isolate: true, include: APART },
};

const thorough: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    name: 'thorough',
    ...IN_NODE,
    include: THOROUGH,
    exclude: [...APART, ...(suites.pdfTools.available ? [] : ['**/*.pdf-tools.test.ts'])],
  },
};

const unit: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    name: 'unit',
    ...IN_NODE,
    include: ['test/**/*.test.ts'],
    exclude: [
      ...THOROUGH,
      ...APART,
      'test/agents/**',
      'test/e2e/**',
      'test/faults/**',
      'test/interop/**',
      '**/*.electron.test.ts',
      'test/security/**/*.browser.test.ts',
    ],
  },
};

/** What goes wrong around the service: processes killed, disks full, files damaged, clocks stepping, steps failing. */
const faults: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    name: 'faults',
    ...IN_NODE,
    include: ['test/faults/**/*.test.ts'],
  },
};

/** Real agent programs, which scripts/test-agents.ts installs, before a model server of our own. */
const agents: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    ...IN_NODE,
    name: 'agents',
    include: ['test/agents/**/*.test.ts'],
    exclude: agentSuites().flatMap(({ available, files }) => (available ? [] : files)),
    // Each test runs several processes: more at once would wait for each other.
    maxWorkers: 1,
    // Vitest wants a turn of its own for a project with another number of workers.
    sequence: { groupOrder: 1 },
  },
};

/** Whole processes, a real browser, or another language's verifier: slower, and patient. */
const e2e: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    name: 'e2e',
    ...IN_NODE,
    globalSetup: ['test/support/run-folder.ts', 'test/support/built-threads.ts', 'test/support/build-pages.ts'],
    include: ['test/e2e/**/*.test.ts', 'test/interop/**/*.test.ts', 'test/security/**/*.browser.test.ts'],
    exclude: [
      ...THOROUGH,
      ...(suites.interop.available ? [] : ['test/interop/**']),
      ...(suites.electron.available ? [] : ['**/*.electron.test.ts']),
    ],
  },
};

/** The protocol's tests once more where it also has to run: in a browser, without Node's crypto or Buffer. */
function browser(executablePath: string): TestProjectInlineConfiguration {
  const asRoot = process.getuid?.() === 0;
  return {
    // Found by vite while a test runs, these would make it reload the page under the test.
    optimizeDeps: { include: ['fast-check'], exclude: ['@noble/ed25519', '@noble/hashes'] },
    test: {
      name: 'browser',
      globalSetup: ['test/support/run-folder.ts'],
      provide: { nightlySeed },
      include: ['test/protocol/**/*.test.ts'],
      // As in Node: each file would load and compile the protocol anew.
      isolate: false,
      maxWorkers: WORKERS,
      testTimeout: PATIENCE_MS,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        instances: [{ browser: 'chromium', name: 'browser' }],
        provider: playwright({
          launchOptions: {
            executablePath,
            args: [
              '--disable-background-networking',
              '--disable-component-update',
              '--disable-sync',
              '--no-first-run',
              '--disable-gpu',
              // Chromium refuses to sandbox as root; nothing but our own tests is loaded here.
              ...(asRoot ? ['--no-sandbox'] : []),
            ],
          },
        }),
      },
    },
  };
}

const chromium = chromiumPath();

export default defineConfig({
  test: {
    projects: [unit, thorough, apart, faults, e2e, agents, ...(chromium === undefined ? [] : [browser(chromium)])],
    // Stray handles must not keep a finished run open.
    teardownTimeout: 10_000,
  },
});
