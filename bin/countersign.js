#!/usr/bin/env node
// The command's door. It must parse on any Node from 12 on (no optional chaining, no top-level await), because it
// is what stands between an old Node on the machine and the sources, which need Node 24: see docs/architecture.md.
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const REQUIRED_MAJOR = 24;
const EXIT_UNUSABLE = 2;

stopWithLauncher();
if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) {
  keepCompiled();
  limitMemory();
  runHere();
} else {
  // Loaded where it is needed alone: a recorder's memory is small, and this would be a part of it.
  void import('node:child_process').then(({ spawn }) => runUnder(spawn, bundledNode()));
}

/**
 * npx puts a shell between itself and this process, and a SIGTERM ends only that shell. Without this watch the
 * service would stay behind as an orphan, holding its port and its ledger.
 */
function stopWithLauncher() {
  if (process.env.npm_command !== 'exec' || process.platform === 'win32') return;
  const launcher = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

/**
 * What Node has compiled of the sources is kept for the next start, which then takes half as long and less memory; the
 * environment tells the threads as well. It lies beside the packages: whoever can write there can change the code itself.
 * Where it can't be written Node does without.
 */
function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE === undefined) {
    setForItself('NODE_COMPILE_CACHE', fileURLToPath(new URL('../node_modules/.cache/countersign', import.meta.url)));
  }
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

/**
 * V8 lets the space for young objects grow to some 200 MB under load, and that for old ones to several times what is
 * alive; and glibc keeps a store of freed memory for every thread, into which it takes ever larger pieces once it has seen
 * one freed. A service that runs for months, and a verification of millions of records, do nearly as well with a fraction of
 * it. Threads that rest give their memory back, for which they are given the collector (src/node/idle-memory.ts). The
 * limits can only be given at the start: the process replaces itself, where the platform can.
 */
function limitMemory() {
  // A recorder runs all day next to everything else, and most of it does nothing.
  const isRecorder = process.argv[2] === 'record' && (process.argv[3] === 'run' || process.argv[3] === 'mcp');
  // A verification reads all of a file without a pause: with twice as much it collects half as often.
  const young = process.argv[2] === 'verify' ? 16 : 8;
  const flags = [`--max-semi-space-size=${young}`, '--heap-growing-percent=60', '--expose-gc'].concat(
    isRecorder ? ['--single-threaded-gc'] : [],
  );
  const isLong = isRecorder || process.argv[2] === 'serve' || process.argv[2] === 'verify';
  if (!isLong || process.platform === 'win32' || process.execve === undefined) return;
  if (process.execArgv.some((argument) => argument.startsWith('--max-semi-space-size'))) {
    // This thread's heap has taken it; left in place it would stand over the limits that threads are given.
    if (!isRecorder) setFlagsFromString('--max-semi-space-size=0');
    // Turned on again once events come (src/recorder/compose/compilers.ts). Given at the start they could not be.
    else if (process.argv[3] === 'run') {
      for (const tier of ['opt', 'maglev', 'sparkplug']) setFlagsFromString(`--no-${tier}`);
    }
    return;
  }
  const options = process.execArgv.concat(flags, '--disable-warning=ExperimentalWarning');
  setForItself('MALLOC_ARENA_MAX', '2');
  setForItself('MALLOC_MMAP_THRESHOLD_', '131072');
  process.execve(process.execPath, [process.execPath].concat(options, process.argv.slice(1)), process.env);
}

/** Sets a variable that nobody set, and says so: a program that this command runs for somebody else gets what that one gave. */
function setForItself(name, value) {
  if (process.env[name] !== undefined) return;
  process.env[name] = value;
  const known = process.env.COUNTERSIGN_SET === undefined ? [] : process.env.COUNTERSIGN_SET.split(' ');
  process.env.COUNTERSIGN_SET = known.concat(name).join(' ');
}

function runHere() {
  import('../src/cli/main.ts')
    .then((cli) => cli.main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    })
    .catch((error) => {
      // main answers for every expected failure itself; what arrives here is a defect, so the stack is worth showing.
      console.error(error instanceof Error ? error.stack : String(error));
      process.exitCode = EXIT_UNUSABLE;
    });
}

/** Path of the Node that comes with the project, or undefined where it isn't installed. */
function bundledNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    return ['node', 'node.exe'].map((name) => join(folder, 'bin', name)).find((path) => existsSync(path));
  } catch {
    return undefined;
  }
}

function runUnder(spawn, node) {
  if (node === undefined) {
    console.error(
      `countersign needs Node ${REQUIRED_MAJOR} and this is ${process.version}: run "npm ci" in the project folder, which installs the right one.`,
    );
    process.exitCode = EXIT_UNUSABLE;
    return;
  }
  const child = spawn(node, [fileURLToPath(import.meta.url)].concat(process.argv.slice(2)), { stdio: 'inherit' });
  // Ctrl-C reaches the whole foreground group, so the child already has it; sent twice it would read as impatience.
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on('SIGINT', () => onTerminal || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`countersign could not start Node ${REQUIRED_MAJOR} (${node}): ${error.message}`);
    process.exitCode = EXIT_UNUSABLE;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code === null ? 128 + constants.signals[signal] : code;
  });
}
