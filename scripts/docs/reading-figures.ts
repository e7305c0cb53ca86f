import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOf, investigationRules, prepareRules, type RecordHead, readPayload } from '../../src/actions/index.ts';
import type { JsonObject } from '../../src/protocol/index.ts';
import { ROOT } from '../support/paths.ts';
import { table } from './markdown.ts';

const READ = ['tool', 'outcome', 'hosts', 'files', 'accounts', 'person'] as const;
type Read = (typeof READ)[number];

/** A payload in the shape of a framework or log, with what a person reads there. */
interface PayloadShape {
  readonly name: string;
  /** Where the shape is documented. */
  readonly source: string;
  readonly head?: Partial<RecordHead>;
  readonly payload: JsonObject;
  readonly expected: Readonly<Record<Read, string | readonly string[] | null>>;
}

interface Figures {
  readonly found: number;
  /** Of what was read, and of what is there, the part that is right: from 0 to 1. */
  readonly precision: number;
  readonly recall: number;
}

/** Shapes that the rules were made with, that they were widened with, and, twice, that were written down before any rule saw them. */
const SHAPES = {
  'in view': 'payload-shapes',
  'once held out': 'once-held-out-shapes',
  'held out': 'held-out-shapes',
  'later held out': 'later-held-out-shapes',
} as const;

export function payloadShapes(which: keyof typeof SHAPES): readonly PayloadShape[] {
  const path = join(ROOT, `test/fixtures/${SHAPES[which]}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as readonly PayloadShape[];
}

/** Kinds of entities that are an account, or a person who has one. */
const ACCOUNTS = ['account', 'user', 'customer', 'email'];

/** What the rules of the product read in a shape. */
export function readIn({ head, payload }: PayloadShape): Readonly<Record<Read, readonly string[]>> {
  const rules = prepareRules(investigationRules.parse({ version: 1 }));
  const around = { agent_id: 'a', operation_type: 'agent.step', action: 'step', subject: 'task 7' };
  const { tool, outcome, person, host, entity } = factsOf({ ...around, ...head }, readPayload(payload), rules);
  const idsOf = (kinds: readonly string[]): string[] =>
    entity.filter(({ kind, at }) => kinds.includes(kind) && at !== 'subject').map(({ id }) => id);
  const one = (value: string | null): string[] => (value === null ? [] : [value]);
  return {
    tool: one(tool),
    outcome: one(outcome),
    hosts: host,
    files: idsOf(['file']),
    accounts: [...new Set(idsOf(ACCOUNTS))],
    person: one(person),
  };
}

/** Precision and recall of each thing that is read, over all shapes. */
export function readingFigures(shapes: readonly PayloadShape[]): Readonly<Record<Read, Figures>> {
  const figures = READ.map((what): readonly [Read, Figures] => {
    let [right, found, there] = [0, 0, 0];
    for (const shape of shapes) {
      const expected = [shape.expected[what]].flat().filter((value) => value !== null);
      const read = readIn(shape)[what];
      right += read.filter((value) => expected.includes(value)).length;
      found += read.length;
      there += expected.length;
    }
    return [what, { found: there, precision: right / found, recall: right / there }];
  });
  return Object.fromEntries(figures) as Record<Read, Figures>;
}

const NAMES: Readonly<Record<Read, string>> = {
  tool: 'Tool',
  outcome: 'Outcome',
  hosts: 'Hosts',
  files: 'Files',
  accounts: 'Accounts and addresses',
  person: 'Person',
};

/** Of nothing there is no part. */
function part(of: number): string {
  return Number.isNaN(of) ? '–' : of.toFixed(3);
}

/** For the documentation: how much of what payloads of common shapes say is read, and how much of what is read is right. */
export function readingTable(which: keyof typeof SHAPES): string {
  const shapes = payloadShapes(which);
  const figures = readingFigures(shapes);
  const rows = READ.map((what) => {
    const { found, precision, recall } = figures[what];
    return [NAMES[what], String(found), part(precision), part(recall)];
  });
  return table([`Of ${shapes.length} payloads`, 'There', 'Precision', 'Recall'], rows);
}
