import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { killIfLeft, pagesPath } from '../../node/index.ts';
import { fingerprintDigits } from '../../protocol/index.ts';
import { messageOf } from '../../protocol/text/light.ts';
import { RecordError, type RunningRecorder, recorderHome, startRecorderIfInstalled } from '../../recorder/light.ts';
import {
  environmentName,
  givenSettings,
  LogDoubt,
  LogError,
  type NodeOptions,
  SETTINGS,
  type Service,
  type SettingOrigins,
  type SettingSources,
  type Settings,
  SharedNode,
  StartError,
  startService,
} from '../../service/index.ts';
import { type Command, EXIT, FileProblem, type Option, type ParsedArgs, UsageError } from '../command.ts';
import { endInTime } from '../end-in-time.ts';
import { printable } from '../printable.ts';
import { systemProblem } from '../system-problem.ts';
import type { Terminal } from '../terminal.ts';
import { untilStopped } from '../until-stopped.ts';

const CONFIG_VARIABLE = 'COUNTERSIGN_CONFIG';
const SHARED_LOG_VARIABLE = 'COUNTERSIGN_SHARED_LOG';

const configFile = z.partialRecord(
  z.enum(SETTINGS.map(({ flag }) => flag)),
  z.union([z.string(), z.number(), z.boolean()]).transform(String),
);

function readConfig(path: string): SettingSources['configFile'] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const problem = systemProblem(error, path);
    throw problem === null ? error : new FileProblem(`--config: ${problem}`);
  }
  try {
    return configFile.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`--config: ${path}: must be a JSON object whose members are settings, such as {"port": 8787}`);
  }
}

const ON_OFF = ['on', 'off'] as const;

/** The choices of a setting whose values are all named, such as `off|day|week`. */
function choicesOf(value: string | undefined): Pick<Option, 'choices'> {
  return value !== undefined && /^[a-z-]+(\|[a-z-]+)+$/.test(value) ? { choices: value.split('|') } : {};
}

/** The recorder of this user, where a program's agent is installed: then one process is enough on a machine. */
async function recorderBeside(terminal: Terminal): Promise<RunningRecorder | null> {
  const tell = (what: string): void => terminal.note(`recorder     ${printable(what)}`);
  try {
    const onError = (error: unknown): void => tell(messageOf(error));
    const recorder = await startRecorderIfInstalled(recorderHome(process.env), { onError });
    if (recorder !== null) terminal.line(`recorder     ${recorder.url}, folder ${recorder.folder}`);
    return recorder;
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    // The service is what was asked for: it runs without.
    tell(error.code === 'RECORDER_RUNNING' ? 'another one of this user is running' : error.message);
    return null;
  }
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  if (args.positionals.length > 0)
    throw new UsageError(`serve takes no argument, and got ${JSON.stringify(args.positionals[0])}`);
  const configPath = args.text('config') ?? process.env[CONFIG_VARIABLE];
  const commandLine = Object.fromEntries(
    SETTINGS.map(({ flag, value }) => [
      flag,
      value === undefined ? (args.on(flag) ? 'on' : undefined) : args.text(flag),
    ]),
  );
  const sources = {
    commandLine,
    environment: process.env,
    configFile: configPath === undefined ? {} : readConfig(configPath),
  };
  const wantsRecorder = (args.text('recorder') ?? 'on') === 'on';
  const rendererDir = pagesPath();
  const { values, origins } = givenSettings(sources);
  const pages = existsSync(rendererDir) ? rendererDir : null;
  const stopped = untilStopped();
  // A start may take long as well: a ledger is read then.
  void stopped.then(() => endInTime(terminal));
  // The address may hold a password.
  const sharedLog = args.text('shared-log') ?? process.env[SHARED_LOG_VARIABLE];
  if (sharedLog === undefined && args.text('node') !== undefined) throw new UsageError('--node goes with --shared-log');
  const given = { ...values, rendererDir: pages };
  const tell = (service: Service): void => describe(service, pages === null, terminal);
  const running: Running =
    sharedLog === undefined
      ? alone(await startService(given, { origins }), tell)
      : asNode(
          new SharedNode(
            nodeOptions({ sharedLog, name: args.text('node') ?? hostname(), given, origins, tell, terminal }),
          ),
        );
  const recorder = wantsRecorder ? await recorderBeside(terminal) : null;
  await Promise.race([stopped, running.ended.finally(() => endInTime(terminal))]);
  await recorder?.close();
  terminal.line('stopping: sealing the open epoch');
  await running.close();
  killIfLeft();
  return EXIT.ok;
}

/** What runs until it is told to stop. */
interface Running {
  /** Rejected where it cannot go on; else it ends with `close`. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

function alone(service: Service, tell: (service: Service) => void): Running {
  tell(service);
  return { ended: Promise.withResolvers<void>().promise, close: () => service.close() };
}

function asNode(node: SharedNode<Service>): Running {
  const ended = node.run();
  return {
    ended,
    close: () => {
      node.stop();
      return ended;
    },
  };
}

interface GivenNode {
  readonly sharedLog: string;
  readonly name: string;
  readonly given: Partial<Settings>;
  readonly origins: SettingOrigins;
  readonly tell: (service: Service) => void;
  readonly terminal: Terminal;
}

function nodeOptions({ sharedLog, name, given, origins, tell, terminal }: GivenNode): NodeOptions<Service> {
  let told: Service | null = null;
  return {
    log: sharedLog,
    name,
    given,
    origins,
    wrappingKey: null,
    start: (aroundCommit, node) => startService(given, { origins, aroundCommit, node }),
    onChange: (state, { url, service, why }) => {
      const because = why === '' ? '' : `: ${printable(why)}`;
      if (state !== 'stopped') terminal.line(`node ${printable(name)} is ${state}, at ${url}${because}`);
      if (service !== null && service !== told) tell(service);
      told = service;
    },
  };
}

function describe(service: Service, withoutPages: boolean, terminal: Terminal): void {
  // Before the link, which leads nowhere without them.
  if (withoutPages) terminal.line('The pages for a browser are not built: run npm run build, then start again');
  terminal.line(`Open ${service.workstationLink()} in a browser to begin`);
  terminal.line('     (the link works once, within ten minutes; it needs no account)');
  terminal.line();
  terminal.line(`Countersign ${packageJson.version}, for agents listening on ${service.url}`);
  terminal.line(`data folder  ${service.dataDir}`);
  terminal.line(`service key  ${fingerprintDigits(service.kid).join(' ')}`);
  terminal.line(`  kid        ${service.kid}`);
  const setUpCode = service.setUpCode();
  if (setUpCode === null) return;
  terminal.line(`set-up code  ${setUpCode}`);
  terminal.line('             (works once: sets the service up from another browser or program)');
}

/** Runs the audit service until it is told to stop. */
export const serve: Command = {
  name: 'serve',
  synopsis: ['[OPTIONS]'],
  options: [
    ...SETTINGS.map(({ flag, value, help, fallback }) => ({
      flag,
      ...(value === undefined ? {} : { value }),
      ...choicesOf(value),
      help: fallback === null || fallback === false ? help : `${help} (${String(fallback)})`,
    })),
    {
      flag: 'recorder',
      value: 'on|off',
      choices: ON_OFF,
      help: 'run the recorder too, if an agent is installed for this user (on)',
    },
    {
      flag: 'shared-log',
      value: 'URL',
      help: `be one of several nodes of a ledger, whose order this log keeps; better given in the environment: ${SHARED_LOG_VARIABLE}`,
    },
    { flag: 'node', value: 'NAME', help: 'with --shared-log: what this node is called (the name of the machine)' },
    { flag: 'config', value: 'FILE', help: 'a JSON object with settings by these names' },
  ],
  notes: [
    'Each setting can also be given in the configuration file, or in the environment as below. The command line comes first, then the environment, then the file.',
    [...SETTINGS.map(environmentName), SHARED_LOG_VARIABLE, CONFIG_VARIABLE].join(', '),
  ],
  examples: [
    { what: 'Run the service, and open the link that it prints:', args: '' },
    { what: 'Use another folder and a free port:', args: '--data-dir ledger --port 0' },
    { what: 'Serve other machines:', args: '--host 0.0.0.0 --tls-cert chain.pem --tls-key key.pem' },
  ],
  exitCodes: [
    ['0', 'stopped by Ctrl-C or SIGTERM'],
    ['2', 'could not start: the data folder, the port or a setting cannot be used, or wrong usage'],
  ],
  expected: [StartError, LogError, LogDoubt],
  run,
};
