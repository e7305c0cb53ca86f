import { isMembers } from '../../protocol/light.ts';
import { ACCESSES, type Access } from '../fields/codes.ts';
import { addressesIn, identityOf, mailboxIn } from './addresses.ts';
import { namedInCommand } from './commands.ts';
import { matchesGlob } from './glob.ts';
import { hostOf } from './hosts.ts';
import type { Leaf, ReadPayload } from './read-payload.ts';
import { MAX_DECLARED, MAX_ENTITIES, type TouchedEntity } from './record-facts.ts';
import type { InvestigationRules } from './rules.ts';
import { isArray, type Members, ownerOf, textAt, valueAt } from './tree.ts';

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
export class EntityRules {
  readonly #byName = new Map<string, EntityRule[]>();
  /** Those whose last name is a pattern. */
  readonly #others: EntityRule[] = [];
  /** Rules about members of a name, those for exactly this name first. Names of members come again and again. */
  readonly #known = new Map<string, readonly EntityRule[]>();

  constructor(rules: InvestigationRules['entities']) {
    for (const { kind, at: places, like, access } of rules) {
      for (const at of [places].flat()) {
        const fromRoot = at.startsWith('/');
        const names = fromRoot ? at.slice(1).split('/') : at.split('.');
        const rule: EntityRule = { kind, names, fromRoot, like, access };
        const last = names.at(-1) ?? '';
        if (isPattern(last)) this.#others.push(rule);
        else this.#byName.set(last, [...(this.#byName.get(last) ?? []), rule]);
      }
    }
  }

  /** The first rule about a value. */
  about(leaf: Leaf, name: string, text: string): EntityRule | undefined {
    let rules = this.#known.get(name);
    if (rules === undefined) {
      const others = this.#others.filter(({ names }) => matchesGlob(names.at(-1) ?? '', name));
      rules = [...(this.#byName.get(name) ?? []), ...others];
      if (this.#known.size < MAX_KNOWN) this.#known.set(name, rules);
    }
    return rules.find((rule) => fits(rule, leaf, text));
  }
}

const MAX_KNOWN = 4096;
const isPattern = (name: string): boolean => name.includes('*') || name.includes('?');

function fits(rule: EntityRule, { path }: Leaf, text: string): boolean {
  const above = path.length - rule.names.length;
  if (above < 0 || (rule.fromRoot && above > 0)) return false;
  if (!rule.names.every((name, index) => matchesGlob(name, path[above + index] ?? ''))) return false;
  return rule.like === undefined || matchesGlob(rule.like, text);
}

/** The ids that a value is: a short text of one line, or a whole number; of a list of recipients each address. */
function idsOf(value: Leaf['value'], kind: string): readonly string[] {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [String(value)] : [];
  if (typeof value !== 'string' || value.length > MAX_ID || value.trim() === '' || /[\n\r]/.test(value)) return [];
  if (kind === 'host') return [hostOf(value) ?? ''].filter((host) => host !== '');
  const addresses = kind === 'email' ? addressesIn(value) : [];
  return addresses.length > 0 ? addresses : [value];
}

function amountOf(owner: Members): TouchedEntity['amount'] {
  const amount = owner['amount'] ?? owner['total'];
  const value = typeof amount === 'number' && Number.isFinite(amount) ? String(amount) : amount;
  if (typeof value !== 'string' || !DECIMAL.test(value)) return undefined;
  const currency = textAt(owner, 'currency');
  return { value, currency: currency !== null && CURRENCY.test(currency) ? currency : null };
}

function stateOf(owner: Members, name: 'before' | 'after'): string | null | undefined {
  const state = Object.hasOwn(owner, name) ? owner[name] : undefined;
  return state === null || (typeof state === 'string' && state.length <= 256) ? state : undefined;
}

/** What a guess of the rules says besides kind and id. */
export type Guess = Pick<TouchedEntity, 'access' | 'accessFrom'>;

const MENTIONED: Guess = { access: 'mentioned', accessFrom: null };

/**
 * What is guessed of a thing of some kind. Nobody changes or deletes a host by naming it: the verb of a tool says nothing of it then, and
 * a method of HTTP that the host was sent something.
 */
function guessOf(kind: string, { access, accessFrom }: Guess): Guess {
  if (access === 'mentioned') return MENTIONED;
  if (kind !== 'host' || access === 'read' || access === 'send') return { access, accessFrom };
  return accessFrom?.startsWith('/') === true ? { access: 'send', accessFrom } : MENTIONED;
}

/** The record's own subject as an entity; null where no rule says of which kind it is. */
export function subjectEntity(
  subject: string,
  rules: InvestigationRules['subjects'],
  guess: Guess,
  owner: Members | null = null,
): TouchedEntity | null {
  if (subject.trim() === '') return null;
  const mailbox = mailboxIn(subject);
  const rule = rules.find(
    ({ kind, like }) => (like === undefined || matchesGlob(like, subject)) && (kind !== 'email' || mailbox !== null),
  );
  if (rule === undefined) return null;
  const amount = owner === null ? undefined : amountOf(owner);
  return {
    ...identityOf(rule.kind, rule.kind === 'email' ? (mailbox ?? subject) : subject),
    ...guessOf(rule.kind, guess),
    declared: false,
    at: 'subject',
    ...(amount === undefined ? {} : { amount }),
  };
}

const stronger = (a: TouchedEntity, b: TouchedEntity): boolean =>
  ACCESSES.indexOf(a.access) > ACCESSES.indexOf(b.access);

/**
 * Entities of a record or of several, each once. What is declared counts alone: no guess says more of the same id, of whatever kind it
 * takes it for. Else the strongest access counts, the first state before and the last one after.
 */
export class EntityList {
  readonly #found = new Map<string, TouchedEntity>();
  readonly #declared = new Set<string>();
  readonly #subject: TouchedEntity | null;
  /** The place of the subject. */
  readonly #reserved: number;

  /** @param subject has its place however many others there are; where its id is another entity's, that one stands for both */
  constructor(subject: TouchedEntity | null = null) {
    this.#subject = subject;
    this.#reserved = subject === null ? 0 : 1;
  }

  add(entity: TouchedEntity): void {
    if (entity.declared) this.#declare(entity);
    else if (!this.#declared.has(entity.id)) this.#join(entity, MAX_ENTITIES + this.#declared.size - this.#reserved);
  }

  #declare(entity: TouchedEntity): void {
    if (!this.#declared.has(entity.id)) {
      this.#declared.add(entity.id);
      for (const [key, { id, declared }] of this.#found) if (id === entity.id && !declared) this.#found.delete(key);
    }
    this.#join(entity, MAX_ENTITIES + MAX_DECLARED);
  }

  #join(entity: TouchedEntity, most: number): void {
    const key = `${entity.kind} ${entity.id}`;
    const known = this.#found.get(key);
    if (known === undefined) {
      if (this.#found.size < most) this.#found.set(key, entity);
      return;
    }
    const { access, accessFrom } = stronger(entity, known) ? entity : known;
    this.#found.set(key, { ...entity, ...known, access, accessFrom, ...lastState(entity) });
  }

  list(): readonly TouchedEntity[] {
    const found = [...this.#found.values()];
    const own = this.#subject;
    if (own === null || this.#declared.has(own.id) || found.some(({ id }) => id === own.id)) return found;
    return [...found, own];
  }
}

const lastState = ({ after }: TouchedEntity): { after?: string | null } => (after === undefined ? {} : { after });

/**
 * What several records touch, each once: what one of them declares counts before what is guessed from another.
 */
export function joinedEntities(lists: readonly (readonly TouchedEntity[])[]): readonly TouchedEntity[] {
  const joined = new EntityList();
  for (const entity of lists.flat()) joined.add(entity);
  return joined.list();
}

/** What is looked for among the values of a payload. */
interface Sought {
  readonly rules: EntityRules;
  readonly commands: ReadonlySet<string>;
  /** What the record does with a value, by its pointer, where the rule doesn't say it. */
  readonly guess: (pointer: string) => Guess;
  readonly isGiven: (pointer: string) => boolean;
  /** Whether it was carried out: what somebody only asks about is mentioned. */
  readonly isDone: boolean;
}

/** The text or words of a command in a value; null where it is not the first of its words. */
function commandAt({ tree }: ReadPayload, { pointer, value }: Leaf): string | readonly string[] | null {
  if (typeof value !== 'string') return null;
  const [, index] = /\/([0-9]+)$/.exec(pointer) ?? [];
  const owner = valueAt(tree, pointer.slice(0, pointer.lastIndexOf('/')));
  if (index === undefined || !isArray(owner)) {
    const words = isMembers(owner) && !/\s/.test(value.trim()) ? (owner['args'] ?? owner['arguments']) : undefined;
    return isArray(words) && words.every((word) => typeof word === 'string') ? [value, ...words] : value;
  }
  return index === '0' && owner.every((word) => typeof word === 'string') ? owner : null;
}

/** Adds what the rules find among the values of a payload, and what its commands name: what was given first, then what came back. */
export function addEntities(list: EntityList, read: ReadPayload, sought: Sought): void {
  const { rules, commands, isGiven } = sought;
  const cameBack: (() => void)[] = [];
  for (const leaf of read.leaves) {
    const name = leaf.path.at(-1);
    if (name === undefined || leaf.value === null || typeof leaf.value === 'boolean') continue;
    const rule = rules.about(leaf, name, String(leaf.value));
    const isCommand = commands.has(name);
    if (rule === undefined && !isCommand) continue;
    const isOfInput = isGiven(leaf.pointer);
    if (isCommand && isOfInput) addCommand(list, read, leaf, sought.isDone);
    if (rule === undefined) continue;
    if (isOfInput) addNamed(list, read, leaf, rule, sought.guess);
    else cameBack.push(() => addNamed(list, read, leaf, rule, sought.guess));
  }
  for (const add of cameBack) add();
}

function addCommand(list: EntityList, read: ReadPayload, leaf: Leaf, isDone: boolean): void {
  const command = commandAt(read, leaf);
  for (const { kind, id, access: does } of command === null ? [] : namedInCommand(command)) {
    const access = isDone ? does : 'mentioned';
    const accessFrom = access === 'mentioned' ? null : 'command';
    list.add({ ...identityOf(kind, id), access, accessFrom, declared: false, at: leaf.pointer });
  }
}

function addNamed(list: EntityList, read: ReadPayload, leaf: Leaf, rule: EntityRule, guess: Sought['guess']): void {
  const { pointer: at } = leaf;
  const owner = ownerOf(read.tree, at);
  const [amount, before, after] =
    owner === null ? [] : [amountOf(owner), stateOf(owner, 'before'), stateOf(owner, 'after')];
  const own: Guess = rule.access === undefined ? guess(at) : { access: rule.access, accessFrom: 'rule' };
  for (const id of idsOf(leaf.value, rule.kind)) {
    list.add({
      ...identityOf(rule.kind, id),
      ...(rule.access === undefined ? guessOf(rule.kind, own) : own),
      declared: false,
      at,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...(amount === undefined ? {} : { amount }),
    });
  }
}
