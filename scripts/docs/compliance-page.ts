import { ROUTES, SCREENS, type ScreenEntry } from '../../src/api/index.ts';
import { type Answers, FRAMEWORKS } from './compliance.ts';
import { table } from './markdown.ts';

const INTRODUCTION = `# Compliance

Which text asks what, what of Countersign answers it, and what it leaves open. **This is not legal advice.** No software makes a
system compliant; whether a text applies to you, and whether this is enough, your counsel and your auditor say. Requirements are in
our words, shortened: read the source. Nothing here was certified or assessed by anybody. Under eIDAS the ledger is at most a
non-qualified electronic ledger: software alone is never a qualified one.

What a verdict does and does not say: [What did I just prove?](what-it-proves.md) Words: [Glossary](glossary.md).

<!-- This page is written by npm run docs from scripts/docs/compliance.ts. -->`;

const MEMBERS = `## The columns

*Record* names members of the signed record and receipt ([protocol](protocol/format.md)); *profile* members of the payload
profile ([agent actions](agent-actions.md)), which are there only if an agent or recorder fills them in. *Screen* is a screen of the
[workspace](workspace.md), *command* one of \`countersign\`, *interface* a [route](routes.md), *read* a document.`;

function answers({
  members = [],
  profile = [],
  screens = [],
  commands = [],
  routes = [],
  documents = [],
}: Answers): string {
  const code = (text: string): string => `\`${text}\``;
  const named: readonly (readonly [string, readonly string[]])[] = [
    ['record', members.map(code)],
    ['profile', profile.map(code)],
    ['screen', screens.map((name) => `*${screenName(name)}*`)],
    ['command', commands.map(code)],
    ['interface', routes.map((name) => code(`${ROUTES[name].method} ${ROUTES[name].path}`))],
    ['read', documents.map((path) => `[${path.replace(/\.md/, '').replace('#', ', ').replaceAll('-', ' ')}](${path})`)],
  ];
  return named
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${kind}: ${names.join(', ')}`)
    .join('; ');
}

function screenName(name: keyof typeof SCREENS): string {
  const entry: ScreenEntry = SCREENS[name];
  return entry.label ?? name;
}

/** Kept on one line as far as its commas: browsers break after every bracket. */
function unbroken(clause: string): string {
  return clause
    .replace(/(?<!,) /g, '&nbsp;')
    .replaceAll(')(', ')&#8288;(')
    .replace(/(\d)\(/g, '$1&#8288;(');
}

/** docs/compliance.md, as it has to be. */
export function compliancePage(): string {
  const sections = FRAMEWORKS.map(({ name, source, note, requirements }) => {
    const rows = requirements.map(({ of, asks, answeredBy, open }) => [unbroken(of), asks, answers(answeredBy), open]);
    return `## ${name}\n\n${note} [Source](${source}).\n\n${table(['', 'Asks', 'Answered by', 'Not covered'], rows)}`;
  });
  return `${[INTRODUCTION, MEMBERS, ...sections].join('\n\n')}\n`;
}
