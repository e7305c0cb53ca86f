import { fingerprintDigits, formatTime, readFingerprintDigits } from '../../protocol/index.ts';
import {
  type AgentPolicy,
  checkAnswering,
  FEED_IDS,
  type FeedId,
  type Installed,
  type InstallPlan,
  isFeedId,
  isProgramId,
  kindOfFeed,
  OTHER_FEEDS,
  PROGRAM_IDS,
  planInstall,
  planTrust,
  programName,
  RecordError,
  type Surroundings,
  type SystemSurroundings,
  scriptPath,
  serviceFeed,
  standingOf,
  startIfNoneRuns,
  systemSteps,
} from '../../recorder/index.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { printable } from '../printable.ts';
import { suggestion } from '../suggestion.ts';
import type { Terminal } from '../terminal.ts';
import { agreed, givenToken } from './ask.ts';
import { shownDiff } from './shown-diff.ts';
import { SYSTEM_OPTIONS, surroundings, surroundingsOfSystem } from './surroundings.ts';

const ON_FAILURE = ['allow', 'block'] as const;
const BEFORE = ['all', 'changes', 'none'] as const;
const CONTENT = ['full', 'input', 'digest'] as const;
const RECEIPT_FOR = ['changes', 'all'] as const;

/** What an option was given, which is one of its choices: the command line was checked. */
function choice<T extends string>(args: ParsedArgs, flag: string, values: readonly T[]): T | undefined {
  return values.find((known) => known === args.text(flag));
}

function policyOf(args: ParsedArgs): Partial<AgentPolicy> {
  const onFailure = choice(args, 'on-failure', ON_FAILURE);
  const before = choice(args, 'before', BEFORE);
  const content = choice(args, 'content', CONTENT);
  const receiptFor = choice(args, 'receipt-for', RECEIPT_FOR);
  return {
    ...(onFailure && { on_failure: onFailure }),
    ...(before && { before }),
    ...(content && { content }),
    ...(args.on('require-receipt') && { threshold: 'countersigned' }),
    ...(args.on('no-require-receipt') && { threshold: 'captured' }),
    ...(receiptFor && { require_receipt_for: receiptFor }),
  };
}

/** The option by which a command names one service of those without a program. */
export const SERVICE_OPTION = {
  flag: 'service-name',
  value: 'NAME',
  help: 'with enterprise: the agent of one service, by the service.name that it exports',
} as const;

/** The feed that a command names. @throws UsageError */
export function feedOf(args: ParsedArgs): FeedId {
  const [name, ...more] = args.positionals;
  const known = FEED_IDS.join(', ');
  if (name === undefined || more.length > 0) throw new UsageError(`name one program: ${known}`);
  const service = args.text('service-name');
  if (service !== undefined) return feedOfService(name, service);
  if (isFeedId(name)) return name;
  const meant = suggestion(name, FEED_IDS) || `; known are ${known}`;
  throw new UsageError(`there is no program "${printable(name)}"${meant}`);
}

function feedOfService(name: string, service: string): FeedId {
  if (name !== 'enterprise') throw new UsageError('--service-name goes with enterprise alone');
  const feed = serviceFeed(service);
  if (feed === null)
    throw new UsageError(
      '--service-name: the name of a service has 1 to 100 characters, escaped ones counting as three',
    );
  return feed;
}

function describeFeed(feed: FeedId): string {
  if (kindOfFeed(feed) !== feed) return `the service "${printable(programName(feed))}"`;

  return isProgramId(feed) ? programName(feed) : `programs recorded as "${feed}"`;
}

function describePlan(plan: InstallPlan, terminal: Terminal): void {
  const { program, policy, feed } = plan;
  terminal.line(terminal.style('bold', `Record ${describeFeed(feed)}`));
  terminal.line(`  service       ${plan.serviceUrl}`);
  terminal.line(`  service key   ${fingerprintDigits(plan.serviceKid).join(' ')}`);
  if (!plan.isKeyKnown) {
    terminal.line('                not compared with anything: trusted from now on, as the service shows it');
  }
  terminal.line(
    `  agent         ${plan.agentId}${plan.isNewAgent ? ' (new, or the next number if the name is taken)' : ''}`,
  );
  if (plan.setup !== null && plan.setup.binary !== null) {
    terminal.line(
      `  program       ${program === null ? 'not found on the PATH' : printable(`${program.path} ${program.version ?? ''}`)}`,
    );
  }
  if (standingOf(feed) !== '') {
    terminal.line('  experimental  known from its documentation alone: its hooks may behave otherwise, so look at');
    terminal.line('                what arrives (countersign record status)');
  }
  const recorded = policy.threshold === 'captured' ? 'signed on this disk' : 'countersigned by the service';
  const otherwise =
    policy.on_failure === 'allow' ? 'the action goes ahead, and the gap is recorded' : 'the action is blocked';
  terminal.line(`  recorded is   what is ${recorded}; otherwise ${otherwise}`);
  for (const { edited, diff } of plan.edits) {
    terminal.line();
    terminal.line(diff === '' ? `${printable(edited.path)} stays as it is.` : shownDiff(diff));
  }
}

function describeInstalled({ agent, tokenEndsAt }: Installed, plan: InstallPlan, terminal: Terminal): void {
  terminal.line();
  terminal.line(`Installed: ${describeFeed(plan.feed)} is recorded as ${agent.agent_id}.`);
  for (const { edited } of plan.edits)
    if (edited.backup !== null) terminal.line(`  before that: ${printable(edited.backup)}`);
  if (tokenEndsAt !== null) {
    terminal.note(
      `Warning: the recorder's token ends with the one given, on ${formatTime(tokenEndsAt)}. ` +
        'With the token of the screen "Record a program" it does not end.',
    );
  }
  if (plan.setup === null) {
    terminal.line('Nothing is configured by itself. Either:');
    terminal.line(`  point an MCP client at    countersign record mcp --feed ${plan.feed} -- SERVER`);
    terminal.line('  or an OTLP exporter at    the address that countersign record status shows');
    return;
  }
  terminal.line(`  If nothing can be recorded, ${describeFeed(plan.feed)} ${plan.setup.failure}.`);
  for (const note of plan.setup.notes) terminal.line(`  ${note}`);
}

/** The hooks of Codex run once Codex trusts them; whether it does then is asked of Codex itself. */
async function trustCodex(
  plan: InstallPlan,
  isAgreed: boolean,
  around: Surroundings,
  terminal: Terminal,
): Promise<void> {
  if (plan.program === null) {
    terminal.note(
      'Warning: codex is not on the PATH. Open Codex and trust the hooks with /hooks: until then none runs.',
    );
    return;
  }
  const trust = await planTrust(
    around.home,
    around.environment,
    around.cwd,
    plan.program.path,
    scriptPath(around.home, 'codex'),
  );
  if (trust.edit.diff === '') return;
  terminal.line();
  terminal.line('Codex runs these hooks once it trusts what they are:');
  for (const { key, currentHash } of trust.hooks) terminal.line(`  ${printable(key)}\n    ${printable(currentHash)}`);
  terminal.line(shownDiff(trust.edit.diff));
  if (!isAgreed && !(await agreed('Trust them?'))) {
    terminal.note('Not trusted: none of them runs until you trust it with /hooks in Codex.');
    return;
  }
  const untrusted = await trust.carryOut();
  if (untrusted > 0)
    throw new RecordError('CONFIG_UNUSABLE', `Codex does not trust ${untrusted} of the hooks: look at /hooks in Codex`);
  terminal.line('Codex says that it trusts all of them.');
}

function wantedKid(args: ParsedArgs, shown: string): void {
  const digits = readFingerprintDigits(args.text('service-key') ?? '');
  if (digits !== null && digits !== fingerprintDigits(shown).join('')) {
    throw new RecordError(
      'SERVICE_REFUSED',
      `the service shows the key ${fingerprintDigits(shown).join(' ')}, not that of --service-key`,
    );
  }
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const feed = feedOf(args);
  const system = await surroundingsOfSystem(args);
  if (system !== null && args.on('no-start')) throw new UsageError('--no-start does not go with --system');
  const around = system ?? surroundings();
  const key = args.text('service-key');
  if (args.text('token') !== undefined && args.text('token') !== '-') {
    terminal.note(
      'Note: others on this machine can see --token in the list of processes; --token - and COUNTERSIGN_TOKEN are not seen.',
    );
  }
  const plan = await planInstall(around, {
    feed,
    service: args.text('service') ?? null,
    token: await givenToken(args.text('token')),
    serviceKid: key !== undefined && readFingerprintDigits(key) === null ? key : null,
    policy: policyOf(args),
    inProject: args.on('project'),
  });
  wantedKid(args, plan.serviceKid);
  describePlan(plan, terminal);
  for (const [what, how] of system === null ? [] : systemSteps(system)) {
    terminal.line(`  ${what.padEnd(13)} ${printable(how)}`);
  }
  terminal.line();
  if (!args.on('yes') && !(await agreed('Do this?'))) {
    terminal.note('Nothing was changed.');
    return EXIT.failed;
  }
  const installed = await plan.carryOut();
  describeInstalled(installed, plan, terminal);
  if (system !== null) return startSystem(system, installed, terminal);
  if (feed === 'codex') await trustCodex(plan, args.on('yes'), around, terminal);
  if (args.on('no-start')) return EXIT.ok;
  await startIfNoneRuns(around.home, around.environment);
  await checkAnswering(around.home, installed.agent);
  terminal.line('  The recorder is running, and knows the agent.');
  return EXIT.ok;
}

async function startSystem({ keeper }: SystemSurroundings, { agent }: Installed, terminal: Terminal): Promise<number> {
  if (agent.feed === 'codex')
    terminal.line(`  Codex runs these hooks once ${keeper.person} trusts them with /hooks in Codex.`);
  if (await keeper.enable()) {
    await checkAnswering(keeper.view, agent, keeper);
    terminal.line('  The recorder is running, and knows the agent.');
  } else {
    terminal.note('Warning: systemd does not run here. The recorder starts with the system.');
  }
  terminal.line(`  As ${keeper.person}: countersign record doctor ${agent.feed}`);
  return EXIT.ok;
}

/** Has a program's actions recorded. */
export const recordInstall: Command = {
  name: 'record install',
  synopsis: ['PROGRAM --service URL --token TOKEN [OPTIONS]'],
  firstArgument: FEED_IDS,
  options: [
    SERVICE_OPTION,
    {
      flag: 'service',
      value: 'URL',
      help: 'the service that countersigns, such as http://127.0.0.1:8787; of several nodes all, with commas between',
    },
    {
      flag: 'token',
      value: 'TOKEN',
      help: 'token of a user who may register agents; "-" reads it from standard input',
    },
    { flag: 'service-key', value: 'KID|DIGITS', help: 'the key that the service must have' },
    { flag: 'yes', help: 'do not ask' },
    {
      flag: 'on-failure',
      value: 'allow|block',
      choices: ON_FAILURE,
      help: 'what to do with an action that cannot be recorded (allow)',
    },
    { flag: 'require-receipt', help: 'an action counts as recorded once the service has countersigned it' },
    { flag: 'no-require-receipt', help: 'an action counts as recorded once it is signed on this disk' },
    {
      flag: 'receipt-for',
      value: 'changes|all',
      choices: RECEIPT_FOR,
      help: 'which actions wait for a receipt (changes)',
    },
    {
      flag: 'before',
      value: 'all|changes|none',
      choices: BEFORE,
      help: 'which actions are recorded before they run as well (all)',
    },
    {
      flag: 'content',
      value: 'full|input|digest',
      choices: CONTENT,
      help: 'how much of the input and output of an action is kept (full)',
    },
    { flag: 'no-start', help: 'let the first hook start the recorder' },
    { flag: 'project', help: 'install for the project in this folder only' },
    ...SYSTEM_OPTIONS,
  ],
  notes: [
    `Programs with hooks: ${PROGRAM_IDS.map((id) => `${id}${standingOf(id)}`).join(', ')}. Without hooks: ${OTHER_FEEDS.join(', ')}.`,
    'The token can also be given as COUNTERSIGN_TOKEN. Installing again changes only the options that you give, and needs no token.',
  ],
  examples: [
    {
      what: 'Record Claude Code; the token is read from standard input:',
      args: 'claudecode --service http://127.0.0.1:8787 --token -',
    },
    { what: 'Block actions that cannot be recorded:', args: 'claudecode --on-failure block' },
  ],
  exitCodes: [
    ['0', 'installed'],
    ['1', 'you did not agree, and nothing was changed'],
    ['2', 'the program, its configuration or the service cannot be used, the recorder does not answer, or wrong usage'],
  ],
  expected: [RecordError],
  run,
};
