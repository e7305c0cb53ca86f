// docs/interface.md and docs/query-language.md: what a request filters by is compared as search and holds compare, in whichever way somebody
// writes it, or to the letter.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '../../../src/api/index.ts';
import { runs } from '../../support/extent.ts';
import { registerAgent, submitNext, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const signer = await registerAgent(owner);
const NAME = 'Zoë Müßigbrodt';
const ADDRESS = 'zoë.müßigbrodt@straße.example';
const payload = { tool: 'send_email', arguments: { to: ADDRESS, [NAME]: 1 }, result: NAME };
const { operation_id } = await submitNext(owner, signer, { subject: NAME, payload });
await submitNext(owner, signer, { subject: 'Grace Hopper', payload: { to: 'grace@corp.example' } });
await until('all records to be indexed', async () => {
  return (await client.ok('whatLeft', { body: {} })).coverage.pending === 0;
});

interface Row {
  readonly written: string;
  /** What is found; the names of one record, or that it is the one. */
  readonly ask: (text: string) => Promise<readonly unknown[]>;
}

/** Each parameter that compares folded texts, by routes: what a record has, and how it is asked for. */
const FOLDED: Readonly<Record<string, Row>> = {
  'query of auditQuery': {
    written: NAME,
    ask: async (text) =>
      (await client.ok('auditQuery', { body: { query: JSON.stringify(text) } })).data.map((row) => row.operation_id),
  },
  'names of redactionPlaces': {
    written: NAME,
    ask: async (text) => (await client.ok('redactionPlaces', { body: { names: [text] } })).operation_ids,
  },
  'selection of countHeld': {
    written: NAME,
    ask: async (text) => {
      const { records } = await client.ok('countHeld', { body: { selection: { kind: 'person', person: text } } });
      return records === 1 ? [operation_id] : [];
    },
  },
  'begins of names': {
    written: NAME,
    ask: async (text) => {
      const names = await client.ok('names', { body: { field: 'subject', begins: text } });
      return names.data.map((one) => (one.text === NAME ? operation_id : one.text));
    },
  },
  'begins of names, of members': {
    written: NAME,
    ask: async (text) => {
      const { data } = await client.ok('names', { body: { begins: text } });
      return data.map((one) => (one.text === NAME ? operation_id : one.text));
    },
  },
  'contains of entities': {
    written: ADDRESS,
    ask: async (text) => {
      const { data } = await client.ok('entities', { body: { contains: text } });
      return data.map(({ id }) => (id === ADDRESS ? operation_id : id));
    },
  },
  'contains of whatLeft': {
    written: ADDRESS,
    ask: async (text) =>
      (await client.ok('whatLeft', { body: { contains: text } })).data.map(({ first }) => first.operation_id),
  },
};

/** Whether a member takes any text. */
function isText(member: z.ZodType): boolean {
  if (member instanceof z.ZodOptional || member instanceof z.ZodDefault) return isText(member.unwrap() as z.ZodType);
  return member instanceof z.ZodString || (member instanceof z.ZodArray && member.element instanceof z.ZodString);
}

const wide = (letter: string): string => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);

/** Ways to write a character that nobody would call another one. */
function spellings(character: string): readonly string[] {
  if (character === ' ') return [' ', '\u00a0', ' \n\t', '\u3000'];
  const ways = [character, character.toUpperCase(), character.normalize('NFD'), `${character}\u200b`];
  if (/[a-z]/i.test(character)) ways.push(wide(character), `${character}\u0301`, `\u00ad${character}`);
  if (character === 'ß') ways.push('ss', 'SS', 'ẞ', 'ſs');
  const plain = character.normalize('NFD').replace(/\p{M}/gu, '');
  return [...ways, plain];
}

const spelled = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(...Array.from(text, (character) => fc.constantFrom(...spellings(character))))
    .map((characters) => characters.join(''));

/** Texts that name one thing, which a list or a record has to the letter. */
const NAMED = [
  'agentId',
  'operationType',
  'subject',
  'session',
  'left',
  'right',
  'kind',
  'id',
  'field',
  'operation_id',
  'by',
  'item_ids',
];
/** Texts that nothing is compared with. */
const OTHER = ['startTime', 'endTime', 'zone', 'cursor', 'name'];

it('is known of each text that a question takes', () => {
  const routes = Object.entries(ROUTES).filter(([, { tag }]) => tag === 'Audit' || tag === 'Investigation');
  const texts = routes.flatMap(([route, { query, body }]: [string, { query?: z.ZodType; body?: z.ZodType }]) =>
    [query, body].flatMap((schema) =>
      schema instanceof z.ZodObject
        ? Object.entries(schema.shape)
            .filter(([, member]) => isText(member as z.ZodType))
            .map(([name]) => ({ name, of: `${name} of ${route}` }))
        : [],
    ),
  );
  const folded = new Set(Object.keys(FOLDED).map((name) => name.split(' ')[0]));
  const known = new Set([...folded, ...NAMED, ...OTHER]);
  expect(texts.filter(({ name }) => !known.has(name)).map(({ of }) => of)).toEqual([]);
  // The query is read by the same code for all routes; each route looks by itself for what contains a text.
  const contains = texts.filter(({ name, of }) => name === 'contains' && FOLDED[of] === undefined);
  expect(contains).toEqual([]);
});

describe('is found however it is written, by', () => {
  it.each(Object.entries(FOLDED))('%s', async (_, { written, ask }) => {
    await fc.assert(
      fc.asyncProperty(spelled(written), async (text) => {
        expect(await ask(text)).toEqual([operation_id]);
      }),
      runs(),
    );
    expect(await ask(`${written}x`)).toEqual([]);
  });
});

it('is found to the letter by what names one thing', async () => {
  const found = async (body: object): Promise<number> => (await client.ok('auditQuery', { body })).data.length;
  await fc.assert(
    fc.asyncProperty(spelled(NAME), async (text) => {
      const isName = text === NAME;
      expect(await found({ subject: text })).toBe(isName ? 1 : 0);
      expect(await found({ without: [['subject', text]] })).toBe(isName ? 1 : 2);
    }),
    runs(),
  );
});
