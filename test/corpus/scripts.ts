/** How somebody finds the answers to the forty questions on the screens: what is done, and what is read there. */
import type { Json } from '../../src/protocol/index.ts';
import type { Person } from './person.ts';
import { queryOf } from './questions.ts';

export interface Script {
  readonly act: (person: Person) => Promise<unknown>;
  /** Reads the answer off the screen; asked again until it is the right one. */
  readonly read: (person: Person) => Promise<Json>;
  /** Where it can be asked alone; everywhere without. */
  readonly only?: 'case' | 'live';
}

type Read = Script['read'];

/** What a search shows is the answer. */
function searched(number: number, read: Read): Script {
  return { act: (person) => person.search(queryOf(number)), read };
}

/** What the first row of a search shows beside the list is the answer. */
function opened(number: number, answer: (text: string) => Json): Script {
  return {
    act: async (person) => {
      await person.search(queryOf(number));
      await person.openFirst();
    },
    read: async (person) => answer((await person.page.locator('.preview').allInnerTexts()).join('\n')),
  };
}

/** One search, and another one after what the first shows was noted. */
function searchedTwice(
  number: number,
  then: string,
  read: (person: Person) => Promise<Json>,
  both: (one: Json, other: Json) => Json,
): Script {
  let first: Json = null;
  return {
    act: async (person) => {
      await person.search(queryOf(number));
      first = await read(person);
      await person.ask(then);
    },
    read: async (person) => both(first, await read(person)),
  };
}

/** The number of records that a search finds is the answer. */
function recordsFound(number: number): Script {
  return {
    act: async (person) => {
      await person.search(queryOf(number));
      await person.byRecord();
    },
    read: (person) => person.found(),
  };
}

/** Has the bundle and all receipts checked in the window. */
async function checkFiles(person: Person): Promise<void> {
  await person.click(person.page.getByRole('link', { name: 'Check without storing', exact: true }));
  await person.chooseFiles(person.main.getByLabel('Bundle, report or proof'), person.files);
  await person.click(person.main.getByRole('button', { name: 'Verify', exact: true }));
}

const found: Read = (person) => person.found();
const agents: Read = (person) => person.counts('Agent');

/** The first match of a pattern, or of its group. */
function matched(text: string, pattern: RegExp): string {
  const match = pattern.exec(text);
  return match?.[1] ?? match?.[0] ?? '';
}

const names = (value: Json): string[] => Object.keys(value as object);

export const SCRIPTS: Readonly<Record<number, Script>> = {
  1: searched(1, agents),
  2: searched(2, agents),
  3: {
    act: async (person) => {
      await person.search(queryOf(3));
      await person.openFirst();
      await person.press('w');
    },
    read: async (person) => {
      const items = await person.page.locator('.told-before > li').allInnerTexts();
      const of = (kind: string) => items.filter((text) => text.includes(kind));
      return {
        told: of('Told').length,
        outputs: of('Output of a call').length,
        sentence: matched(items.join('\n'), /Assistant: [^"\n]+\bnow\./),
      };
    },
  },
  4: searchedTwice(4, 'mark:retried', found, (failed, retried) => ({ failed, retried })),
  5: searched(5, async (person) => (await person.groups()).map(([invoice = '']) => invoice).toSorted()),
  6: {
    act: (person) => person.click(person.main.getByRole('link', { name: 'What left', exact: true })),
    read: async (person) => {
      const rows = await person.main.locator('tbody tr').all();
      const sent = await Promise.all(
        rows.map(async (row) => {
          const cells = await row.locator('td').allInnerTexts();
          return [cells[0]?.trim() ?? '', Number(cells[3]?.replaceAll(',', ''))] as const;
        }),
      );
      return Object.fromEntries(sent.filter(([, count]) => count > 0));
    },
  },
  7: {
    act: async (person) => {
      await person.go('Sessions');
      await person.ask(queryOf(7));
      await person.click(person.main.getByRole('link', { name: 'Side by side', exact: true }));
    },
    read: async (person) => {
      const lines = await person.main
        .getByRole('list', { name: 'Steps of both sessions' })
        .locator(':scope > li')
        .allInnerTexts();
      const tool = (line: string): string => matched(line, /[a-z]+\.[a-z]+(?=\()/);
      const different = lines.flatMap((line) => {
        const parts = matched(line, /different: (.+)/);
        return parts === '' ? [] : [[tool(line), parts.toLowerCase().split(', ')]];
      });
      return {
        extra: lines.filter((line) => /only right/.test(line)).map(tool),
        different: Object.fromEntries(different),
      };
    },
  },
  8: searchedTwice(
    8,
    'mark:resource_jump',
    async (person) => [await person.counts('Agent'), await person.found()],
    (one, other) => ({
      writes: (one as Json[])[0] ?? null,
      jumps: (other as Json[])[1] ?? null,
    }),
  ),
  9: {
    act: async (person) => {
      await person.go('Sessions');
      await person.ask(queryOf(9));
      await person.click(person.main.getByRole('link', { name: 'post-injection' }).first());
    },
    read: async (person) => {
      const titles = await person.stepTitles();
      const after = titles.slice(titles.findIndex((title) => title.includes('M-2107')) + 1);
      return after.flatMap((title) => /^[a-z]+(\.[a-z]+)?(?=\()/.exec(title)?.[0] ?? []);
    },
  },
  10: searchedTwice(10, 'issued < 2026-11-02', agents, (one, other) => {
    const there = new Set(names(one));
    return names(other).filter((agent) => !there.has(agent));
  }),
  11: {
    act: async (person) => {
      await person.click(person.main.getByRole('link', { name: 'View all', exact: true }).first());
      await person.choose(person.main.getByLabel('Kind', { exact: true }), 'first_host');
    },
    read: async (person) => {
      const items = await person.main.locator('.look-item').allInnerTexts();
      const first = items.flatMap((text) => {
        const [, day = '', agent = '', host = ''] =
          /(\d{4}-\d\d-\d\d)[\s\S]*?\n[^\n]* calls of ([\w-]+) [^\n]* named ([^\s,]+)\./.exec(text) ?? [];
        return day >= '2026-10-19' ? [[host, agent]] : [];
      });
      return first.toSorted();
    },
  },
  12: {
    act: async (person) => {
      await person.search(queryOf(12));
      await person.click(person.page.getByRole('button', { name: /^Hand over/ }).first());
      await person.click(person.page.getByRole('dialog').getByRole('button', { name: 'Save proof', exact: true }));
    },
    read: async (person) =>
      Number(
        matched((await person.page.getByText(/^The proof of /).allInnerTexts()).join(), /of (\d+) records was saved/),
      ),
  },
  13: {
    act: async (person) => {
      await person.search(queryOf(13));
      await person.openFirst();
      await person.press('o');
    },
    read: async (person) => {
      const text = await person.main.innerText();
      return /All \d+ checks passed/.test(text) ? matched(text, /amount"?:?\s*"?([\d.]+)/) : 'not proven';
    },
  },
  14: {
    only: 'case',
    act: async (person) => {
      const download = person.page.waitForEvent('download');
      await person.click(person.main.getByRole('button', { name: 'Save case', exact: true }));
      await download;
    },
    read: async (person) => Number(matched(await person.main.innerText(), /Records\n+([\d,]+)/).replaceAll(',', '')),
  },
  15: {
    act: async (person) => {
      await person.search(queryOf(15));
      await person.click(person.main.getByRole('button', { name: 'Places…', exact: true }));
    },
    read: async (person) => {
      const places = person.page.getByRole('region', { name: 'Places', exact: true });
      const under = async (title: string): Promise<Record<string, number>> => {
        const items = await places.locator(`h4:text-is("${title}") + ul > li`).allInnerTexts();
        const found: Record<string, number> = {};
        for (const item of items) {
          const [, place = '', count = ''] = /^(.+?) ([\d,]+) records?\b/.exec(item) ?? [];
          const name = place.replace(/^Value at /, '').toLowerCase();
          found[name] = (found[name] ?? 0) + Number(count.replaceAll(',', ''));
        }
        return found;
      };
      return {
        withheld: await under('An export can withhold'),
        stays: await under('Signed, and stays in every export'),
      };
    },
  },
  16: {
    only: 'live',
    act: async (person) => {
      await person.search(queryOf(16));
      await person.click(person.main.getByRole('button', { name: 'Select all', exact: true }));
      await person.click(person.main.getByRole('button', { name: 'Hold from deletion…', exact: true }));
    },
    read: async (person) =>
      Number(matched(await person.page.getByRole('dialog').innerText(), /Covers ([\d,]+) records at the moment/)),
  },
  17: {
    act: async (person) => {
      if (person.isAtCase) {
        await person.click(person.page.getByRole('link', { name: 'Compare', exact: true }));
        await person.choose(person.main.getByLabel('Compare this case with'), 'live');
      } else await person.command('Compare case Hospital with the live ledger');
      await person.click(person.main.getByRole('button', { name: 'Compare', exact: true }));
    },
    read: async (person) => {
      const text = await person.main.innerText();
      const figure = (name: string) => Number(matched(text, new RegExp(`${name}\\s+([\\d,]+)`)).replaceAll(',', ''));
      return { same: figure('In both'), different: figure('Receipts that differ') + figure('Content that differs') };
    },
  },
  18: {
    act: (person) => (person.isAtCase ? Promise.resolve() : checkFiles(person)),
    read: async (person) => {
      const text = await person.main.innerText();
      // A case names the files that it was made with.
      const kept = [...text.matchAll(/[\w-]+-receipts\.jsonl/g)].length;
      const agents = person.isAtCase ? kept : Number(matched(text, /(\d+) files of receipts/));
      return {
        agents,
        records: Number(matched(text, /Pass\s+Reconciliation\s+([\d,]+) compared/).replaceAll(',', '')),
      };
    },
  },
  19: {
    act: (person) => (person.isAtCase ? Promise.resolve() : checkFiles(person)),
    read: async (person) =>
      matched(await person.main.innerText(), /Times are those of (the service’s own clock)/).replace('’', "'"),
  },
  20: recordsFound(20),
  21: searched(21, async (person) =>
    Object.fromEntries(
      (await person.groups()).map(([payee = '', , amount = '']) => {
        const [value = '', currency = ''] = amount.split(' ');
        return [`${payee} ${currency}`, value];
      }),
    ),
  ),
  22: searched(22, found),
  23: searched(23, async (person) =>
    Object.fromEntries((await person.groups()).map(([week = '', , amount = '']) => [week, amount.split(' ')[0] ?? ''])),
  ),
  24: opened(24, (text) => ({
    by: matched(text, /Denied by (.+?)\s+a person/),
    reason: matched(text, /The invoice was [^\n]+/),
  })),
  25: opened(25, (text) => ({
    host: matched(text, /lab-gw-\d/),
    command: matched(text, /"?(curl [^\n"]+sh)\b/),
  })),
  26: searched(26, found),
  27: searched(27, async (person) => {
    const [[agent, failed] = ['', 0]] = await person.facet('Agent');
    return { agent, failed };
  }),
  28: recordsFound(28),
  29: {
    act: async (person) => {
      await person.search(queryOf(29));
      await person.openFacet('Person');
    },
    read: async (person) => (await person.values('Person')).join(', '),
  },
  30: searched(30, (person) => person.values('Session')),
  31: searched(31, (person) => person.values('Session')),
  32: opened(32, (text) => [matched(text, /Re: Urgent: audit/)]),
  33: opened(33, (text) => ({
    command: matched(text, /ssh apo-db-1 \S+ \S+ \S+\.dump/),
    minutes: Number(matched(text, /(\d+) min/)),
  })),
  34: searched(34, agents),
  35: searched(35, async (person) => (await person.facet('Agent'))[0]?.[0] ?? null),
  36: {
    ...opened(36, () => null),
    read: async (person) => ({
      refused: await person.found(),
      reasons: [matched(await person.page.locator('.preview').innerText(), /refused: ([^\n]+)/)],
    }),
  },
  37: searched(37, (person) => person.values('Agent')),
  38: recordsFound(38),
  39: searched(39, found),
  40: searched(40, async (person) =>
    (await person.column('summary')).map((text) => matched(text, /begun|finished/)).toReversed(),
  ),
};
