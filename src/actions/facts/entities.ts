import { isMembers } from '../../protocol/light.ts';
import { ACCESSES, type Access } from '../fields/codes.ts';
import { matchesGlob } from './glob.ts';
import { hostOf } from './hosts.ts';
import type { Leaf, ReadPayload } from './read-payload.ts';
import { MAX_ENTITIES, type TouchedEntity } from './record-facts.ts';
import type { InvestigationRules } from './rules.ts';
import { type Members, textAt, valueAt } from './tree.ts';

const MAX_ID = 1024;
const DECIMAL = /^-?[0-9]{1,18}(\.[0-9]{1,18})?$/;
const CURRENCY = /^[A-Z]{3}$/;

/** One rule, its path split once. */
interface EntityRule {
  readonly kind: string;
  readonly names: readonly string[];
  readonly fromRoot: boolean;
  readonly like: string | undefined;
  readonly access: Access | undefined;
}

/** Rules that are worked out once and used for many records. */
export interface EntityRules {
  /** By the exact name of the last member. */
  readonly byName: ReadonlyMap<string, readonly EntityRule[]>;
  /** Those whose last name is a pattern. */
  readonly others: readonly EntityRule[];
}

const isPattern = (name: string): boolean => name.includes('*') || name.includes('?');

export function prepareEntityRules(rules: InvestigationRules['entities']): EntityRules {
  const byName = new Map<string, EntityRule[]>();
  const others: EntityRule[] = [];
  for (const { kind, at, like, access } of rules) {
    const fromRoot = at.startsWith('/');
    const names = fromRoot ? at.slice(1).split('/') : at.split('.');
    const rule: EntityRule = { kind, names, fromRoot, like, access };
    const last = names.at(-1) ?? '';
    if (isPattern(last)) others.push(rule);
    else byName.set(last, [...(byName.get(last) ?? []), rule]);
  }
  return { byName, others };
}

function fits(rule: EntityRule, { path }: Leaf, text: string): boolean {
  const above = path.length - rule.names.length;
  if (above < 0 || (rule.fromRoot && above > 0)) return false;
  if (!rule.names.every((name, index) => matchesGlob(name, path[above + index] ?? ''))) return false;
  return rule.like === undefined || matchesGlob(rule.like, text);
}

/** The id that a value is, or null: a short text of one line, or a whole number. */
function idOf(value: Leaf['value'], kind: string): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== 'string' || value.length > MAX_ID || value.trim() === '' || /[\n\r]/.test(value)) return null;
  return kind === 'host' ? hostOf(value) : value;
}

/** The object that a leaf is a member of, be it within arrays. */
function ownerOf(tree: ReadPayload['tree'], { pointer }: Leaf): Members | null {
  let above = pointer;
  do {
    above = above.slice(0, above.lastIndexOf('/'));
    const owner = valueAt(tree, above);
    if (isMembers(owner)) return owner;
  } while (above !== '');
  return null;
}

function amountOf(owner: Members): TouchedEntity['amount'] {
  const { amount } = owner;
  const value = typeof amount === 'number' && Number.isFinite(amount) ? String(amount) : amount;
  if (typeof value !== 'string' || !DECIMAL.test(value)) return undefined;
  const currency = textAt(owner, 'currency');
  return { value, currency: currency !== null && CURRENCY.test(currency) ? currency : null };
}

function stateOf(owner: Members, name: 'before' | 'after'): string | null | undefined {
  const state = Object.hasOwn(owner, name) ? owner[name] : undefined;
  return state === null || (typeof state === 'string' && state.length <= 256) ? state : undefined;
}

/** The record's own subject as an entity; null where no rule says of which kind it is. */
export function subjectEntity(
  subject: string,
  rules: InvestigationRules['subjects'],
  access: Access,
): TouchedEntity | null {
  if (subject.trim() === '') return null;
  const rule = rules.find(({ like }) => like === undefined || matchesGlob(like, subject));
  return rule === undefined ? null : { kind: rule.kind, id: subject, access };
}

/** Entities of a record, each once: with the strongest access, the first state before and the last one after. */
export class EntityList {
  readonly #found = new Map<string, TouchedEntity>();
  readonly #subject: TouchedEntity | null;

  /** @param subject has its place however many others there are; where its id is another entity's, that one stands for both */
  constructor(subject: TouchedEntity | null) {
    this.#subject = subject;
  }

  add(entity: TouchedEntity): void {
    const key = `${entity.kind} ${entity.id}`;
    const known = this.#found.get(key);
    if (known === undefined) {
      if (this.#found.size < MAX_ENTITIES) this.#found.set(key, entity);
      return;
    }
    const stronger = ACCESSES.indexOf(entity.access) > ACCESSES.indexOf(known.access);
    this.#found.set(key, {
      ...entity,
      ...known,
      access: stronger ? entity.access : known.access,
      ...lastState(entity),
    });
  }

  list(): readonly TouchedEntity[] {
    const found = [...this.#found.values()];
    const own = this.#subject;
    return own === null || found.some(({ id }) => id === own.id) ? found : [...found.slice(0, MAX_ENTITIES - 1), own];
  }
}

const lastState = ({ after }: TouchedEntity): { after?: string | null } => (after === undefined ? {} : { after });

/**
 * Adds what the rules find among the values of a payload.
 * @param accessOf what the record does with a value, by its pointer, where the rule doesn't say it
 */
export function addEntities(
  list: EntityList,
  read: ReadPayload,
  rules: EntityRules,
  accessOf: (pointer: string) => Access,
): void {
  for (const leaf of read.leaves) {
    const last = leaf.path.at(-1);
    if (last === undefined || leaf.value === null || typeof leaf.value === 'boolean') continue;
    const text = String(leaf.value);
    const rule =
      rules.byName.get(last)?.find((each) => fits(each, leaf, text)) ??
      rules.others.find((each) => fits(each, leaf, text));
    if (rule === undefined) continue;
    const id = idOf(leaf.value, rule.kind);
    if (id === null) continue;
    const owner = ownerOf(read.tree, leaf);
    const [amount, before, after] =
      owner === null ? [] : [amountOf(owner), stateOf(owner, 'before'), stateOf(owner, 'after')];
    list.add({
      kind: rule.kind,
      id,
      access: rule.access ?? accessOf(leaf.pointer),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...(amount === undefined ? {} : { amount }),
    });
  }
}
