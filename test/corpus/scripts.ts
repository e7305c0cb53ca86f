/** How somebody finds the answer to each of the forty questions on the screens: at most three actions, and what is read there. */
import type { Json } from '../../src/protocol/index.ts';
import type { Person } from './person.ts';

export interface Script {
  /** What to do, in words, for docs/investigating.md. */
  readonly how: string;
  readonly act: (person: Person) => Promise<unknown>;
  /** Reads the answer off the screen; asked again until it is the right one. */
  readonly read: (person: Person) => Promise<Json>;
}

/** A search whose facet or count is the answer. */
function searched(query: string, then: string, read: Script['read']): Script {
  return { how: `Search \`${query}\`${then}`, act: (person) => person.search(query), read };
}

const counted = (query: string): Script => searched(query, '', (person) => person.found());

/** What a text on the screen has of some pattern, in its order. */
async function textOf(person: Person, selector: string): Promise<string> {
  return (await person.page.locator(selector).allInnerTexts()).join('\n');
}

async function stepTitles(person: Person): Promise<string[]> {
  const steps = person.page.getByRole('list', { name: /^Steps of / });
  await steps.waitFor();
  return steps.locator('.step-title').allInnerTexts();
}

const onDay = (day: number): string => `issued >= 2026-10-${day} issued <= 2026-10-${day}`;
let agentsBefore: readonly string[] = [];

export const SCRIPTS: Readonly<Record<number, Script>> = {
  2: searched('issued >= 2026-10-25T14:00+01:00 issued < 2026-10-25T14:20+01:00', ', facet *Agent*', (person) =>
    person.counts('Agent'),
  ),
  9: {
    how: 'Sessions, `"M-2107"`, open it, the steps after the mail',
    act: async (person) => {
      await person.go('Sessions');
      await person.ask('"M-2107"');
      await person.click(person.main.getByRole('link', { name: 'post-injection' }).first());
    },
    read: async (person) => {
      const titles = await stepTitles(person);
      const after = titles.slice(titles.findIndex((title) => title.includes('M-2107')) + 1);
      return after.map((title) => title.split('(')[0]?.trim() ?? '').filter((name) => /^[a-z]+\.?[a-z]+$/.test(name));
    },
  },
  10: {
    how: `Search, look at facet *Agent*, then \`${onDay(28)}\`: the one that is missing`,
    act: async (person) => {
      await person.go('Search');
      agentsBefore = await person.values('Agent');
      await person.ask(onDay(28));
    },
    read: async (person) => {
      const there = new Set(await person.values('Agent'));
      return agentsBefore.filter((agent) => !there.has(agent));
    },
  },
  20: counted('"محمد الأحمد"'),
  22: counted('command ~ /^sudo / /host = apo-db-1'),
  24: {
    how: 'Search `decision.outcome = denied decision.by.kind = human`, click the row',
    act: async (person) => {
      await person.search('decision.outcome = denied decision.by.kind = human');
      await person.openFirst();
    },
    read: async (person) => {
      const text = await textOf(person, '.preview');
      const [by = ''] = /Karin Vogel/.exec(text) ?? [];
      const [reason = ''] = /The invoice was paid in September\./.exec(text) ?? [];
      return { by, reason };
    },
  },
  25: {
    how: 'Search `user = root command ~ /\\|\\s*sh$/`, click the row',
    act: async (person) => {
      await person.search('user = root command ~ /\\|\\s*sh$/');
      await person.openFirst();
    },
    read: async (person) => {
      const text = await textOf(person, '.preview');
      const [, command = ''] = /"?(curl [^\n"]+sh)\b/.exec(text) ?? [];
      const [host = ''] = /lab-gw-\d/.exec(text) ?? [];
      return { host, command };
    },
  },
  26: counted('exit_code > 0'),
  28: counted('Mussigbrodt'),
  29: searched('tool = upload', ', facet *Person*', async (person) => (await person.values('Person'))[0] ?? ''),
  30: {
    how: 'Search `actor.sub_agent.id:*`, facet *Session*',
    act: (person) => person.search('actor.sub_agent.id:*'),
    read: (person) => person.values('Session'),
  },
  32: searched('tool = mail.send "audit@aufsicht-kontrolle.example"', ', what happened', async (person) => {
    const texts = await person.column('summary');
    return [...new Set(texts.flatMap((text) => /Re: Urgent: audit/.exec(text) ?? []))];
  }),
  36: searched('phase = refused', ', what happened', async (person) => {
    const texts = await person.column('summary');
    const reasons = new Set(texts.flatMap((text) => /pushing needs a person/.exec(text) ?? []));
    return { refused: await person.found(), reasons: [...reasons] };
  }),
  37: searched('witnesses.source = hook', ', facet *Agent*', (person) => person.values('Agent')),
  38: counted('王小明'),
  40: searched(
    '"pg_dump apotheke" issued >= 2026-10-25T00:30Z issued <= 2026-10-25T01:31Z',
    ', from below: the list begins with the newest',
    async (person) => {
      const texts = await person.column('summary');
      return texts.flatMap((text) => /begun|finished/.exec(text) ?? []).toReversed();
    },
  ),
};

/** What the screens cannot answer yet in three actions, and why. */
export const UNANSWERED: Readonly<Record<number, string>> = {};
