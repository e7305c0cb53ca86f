import { hasTranscripts, TRANSCRIPTS } from '../../src/actions/transcripts/index.ts';
import { integrationOf, isExperimental } from '../../src/api/index.ts';
import { PROGRAM_IDS, type ProgramId, programName } from '../../src/recorder/index.ts';
import { DESCRIPTIONS } from '../../src/recorder/programs/described.ts';
import type { ProgramDescription, UserPlace } from '../../src/recorder/programs/description.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../support/agent-programs.ts';
import { CALL_GAPS, CALL_KINDS, type CallGap, type CallKind, LEDGER_HAS } from '../support/call-gaps.ts';
import { table } from './markdown.ts';

const INTRODUCTION = `# Programs with hooks

What the [recorder](recorders.md) knows of each program: where its hooks stand, which of its events they are for, what happens where nothing
can be recorded, what is not known, and with which version it was tried. What becomes of the events is told in
[What hooks say](recorders.md#what-hooks-say). An *experimental* program is known from its documentation alone.

<!-- This page is written by npm run docs from src/recorder/programs. -->`;

/** What was run by hand, once: these versions can no longer be installed, or are not installed for the tests. */
const TRIED_BY_HAND: Partial<Readonly<Record<ProgramId, string>>> = { letta: '0.25.9 and 0.32.18' };

function triedWith(id: ProgramId): string {
  const programs: Readonly<Record<string, AgentProgram>> = AGENT_PROGRAMS;
  const run = programs[id];
  if (run !== undefined) {
    const oldest = run.oldest === undefined ? '' : ` The tests also passed with ${run.oldest}.`;
    return `Run by \`npm run test:agents\` in version ${run.version} (\`${run.package}\`).${oldest}`;
  }
  const byHand = TRIED_BY_HAND[id];
  return byHand === undefined
    ? 'Not run with the recorder.'
    : `Run by hand with ${byHand}, whose events are replayed by tests.`;
}

/** Whose transcripts are read, and what becomes of those of other versions. */
function transcripts(id: ProgramId): readonly string[] {
  if (!hasTranscripts(id)) return [];
  const { tried, namesVersion } = TRANSCRIPTS[id];
  const [first, last] = tried;
  const range = first === last ? `version ${first}` : `versions ${first} to ${last}`;
  const others = namesVersion
    ? 'others are read in the same form, and each check names them as not tried'
    : 'others are read in the same form: its transcripts do not name the version';
  return [`- Its transcripts were tried with ${range}; ${others}.`];
}

/** What the records lack of the forty calls that a program is run with. */
function gaps(id: ProgramId): readonly string[] {
  const known: Readonly<Record<string, readonly CallGap[]>> = CALL_GAPS;
  const of = known[id];
  if (of === undefined) return [];
  const lines = of.map(({ of: kind, ledger, why }) => `  - *${kind}* ${LEDGER_HAS[ledger]}: ${why}.`);
  return [
    '- Of forty calls of all kinds, with the recorder killed three times and the service away for 30 s, each is in the ledger once, but for:',
    ...lines,
  ];
}

function userPlace({ variable, folder, file }: UserPlace): string {
  const usual = `\`~/${[...folder, ...file].join('/')}\``;
  if (variable === null) return usual;
  const below = (variable.stands === 'home' ? [...folder, ...file] : file).join('/');
  return `${usual}, or \`$${variable.name}/${below}\` where that variable is set`;
}

function section(id: ProgramId): string {
  const { settings, events, failure, notes, isPlugin, form } = { ...DESCRIPTIONS[id], form: formOf(DESCRIPTIONS[id]) };
  const type = integrationOf(id);
  const lines = [
    `- For the user: ${userPlace(settings.user)}${form}`,
    settings.project === null
      ? '- For a project: not possible.'
      : `- For a project (\`--project\`): \`${settings.project.join('/')}\``,
    `- ${isPlugin === true ? 'A plugin in the program, for' : 'Events'}: ${events.map((event) => `\`${event}\``).join(', ')}`,
    `- If nothing can be recorded, it ${failure}.`,
    ...(type === id ? [] : [`- Its agents have the integration type \`${type}\`, and its name in each record.`]),
    ...notes.map((note) => `- ${note}`),
    `- ${triedWith(id)}`,
    ...transcripts(id),
    ...gaps(id),
  ];
  const standing = isExperimental(id) ? ' (experimental)' : '';
  return `## ${programName(id)}${standing}\n\n\`countersign record install ${id}\`\n\n${lines.join('\n')}`;
}

function formOf({ settings: { form } }: ProgramDescription): string {
  if (form.kind !== 'own-files') return '; what else is in the file stays';
  const more = Object.keys(form.more ?? {});
  return more.length === 0 ? '' : `, and next to it ${more.map((name) => `\`${name}\``).join(', ')}`;
}

/** What became of each kind of call in each program that is run with the plan. */
function callTable(): string {
  const programs = Object.entries(CALL_GAPS) as [keyof typeof AGENT_PROGRAMS, readonly CallGap[]][];
  const cell = (gapsOf: readonly CallGap[], kind: CallKind): string => {
    const gap = gapsOf.find(({ of }) => of === kind);
    return gap === undefined ? 'yes' : LEDGER_HAS[gap.ledger].replace(/^(?:was|is) /, '');
  };
  const rows = CALL_KINDS.map((kind) => [kind, ...programs.map(([, gapsOf]) => cell(gapsOf, kind))]);
  const heading = `## Forty calls

Each program is run with forty calls of these kinds, some of them at once, while its recorder is killed three times and the service is away for 30 s. *yes*: each is in
the ledger once, with its input, outcome and, where the program tells it, exit code. The sections below say why where it is not.`;
  return `${heading}\n\n${table(['Kind of call', ...programs.map(([id]) => AGENT_PROGRAMS[id].name)], rows)}`;
}

/** docs/recorded-programs.md, as it has to be. */
export function recordedProgramsPage(): string {
  return `${[INTRODUCTION, callTable(), ...PROGRAM_IDS.map(section)].join('\n\n')}\n`;
}
