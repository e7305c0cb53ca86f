import {
  findNodeAtLocation,
  getLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { z } from 'zod';
import { type InvestigationRules, investigationRules } from '../../../actions/index.ts';
import type { Suggestion } from '../audit/bar/use-completions.ts';
import { RULES_JSON } from './texts.ts';

/** Why a text is no rules: where in it, as people find the place, and what should be there. */
export interface RulesProblem {
  /** Such as `entities, entry 3, kind`; null where the text is no JSON at all. */
  readonly place: string | null;
  readonly message: string;
  /** Line of the text, from 1. */
  readonly line: number;
  /** The place in the text, in UTF-16 code units. */
  readonly from: number;
  readonly to: number;
}

export type ReadRules =
  | { readonly rules: InvestigationRules; readonly problems?: undefined }
  | { readonly rules?: undefined; readonly problems: readonly RulesProblem[] };

/** More problems than these help nobody. */
const MAX_PROBLEMS = 12;

type Path = readonly (string | number)[];

function placeText(path: Path): string {
  if (path.length === 0) return RULES_JSON.whole;
  return path.map((step) => (typeof step === 'number' ? RULES_JSON.entryStep(step + 1) : step)).join(', ');
}

function problemAt(text: string, place: string | null, message: string, from: number, length: number): RulesProblem {
  return { place, message, line: text.slice(0, from).split('\n').length, from, to: from + length };
}

/** A problem at a path: there, or at the nearest member above that is in the text. */
function problemOf(text: string, tree: Node | undefined, path: Path, message: string): RulesProblem {
  let node: Node | undefined;
  for (let depth = path.length; node === undefined && depth >= 0; depth--) {
    node = tree && findNodeAtLocation(tree, path.slice(0, depth));
  }
  return problemAt(text, placeText(path), message, node?.offset ?? 0, node?.length ?? 0);
}

/** Members that are there twice: of two, a reader of JSON takes the last without a word. */
function repeated(node: Node, path: Path): Path[] {
  const names = new Set<string>();
  return (node.children ?? []).flatMap((child, at): Path[] => {
    if (node.type === 'array') return repeated(child, [...path, at]);
    const [key, value] = child.children ?? [];
    const own = [...path, String(key?.value)];
    const isAgain = names.has(String(key?.value));
    names.add(String(key?.value));
    return [...(isAgain ? [own] : []), ...(value === undefined ? [] : repeated(value, own))];
  });
}

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Reads rules that somebody typed as JSON. */
export function readRules(text: string): ReadRules {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const json = parsed(text);
  if (json === null) {
    const { error, offset = 0, length = 0 } = errors[0] ?? {};
    const message =
      (error === undefined ? undefined : RULES_JSON.syntax[printParseErrorCode(error)]) ?? RULES_JSON.other;
    return { problems: [problemAt(text, null, message, offset, length)] };
  }
  const twice = tree === undefined ? [] : repeated(tree, []);
  const result = investigationRules.safeParse(json.value);
  if (result.success && twice.length === 0) return { rules: result.data };
  const found = (result.error?.issues ?? []).map((issue) => {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    return problemOf(text, tree, [...path, ...unknown], issue.message);
  });
  const again = twice.map((path) => problemOf(text, tree, path, RULES_JSON.twice));
  return { problems: [...found, ...again].toSorted((a, b) => a.from - b.from).slice(0, MAX_PROBLEMS) };
}

/** Rules as they are typed. */
export function rulesText(rules: object): string {
  return JSON.stringify(rules, null, 2);
}

type Schema = z.core.JSONSchema.BaseSchema;

const SCHEMA: Schema = z.toJSONSchema(investigationRules, { io: 'input' });

const isSchema = (schema: unknown): schema is Schema => typeof schema === 'object' && schema !== null;

/** Every form that a value at a path may have. */
function formsAt(path: Path): readonly Schema[] {
  const forms = (schema: unknown): Schema[] =>
    isSchema(schema) ? (schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(forms)) : [];
  return path.reduce<readonly Schema[]>(
    (now, step) =>
      now.flatMap(({ items, properties = {} }) =>
        forms(typeof step === 'number' ? items : Object.hasOwn(properties, step) ? properties[step] : null),
      ),
    forms(SCHEMA),
  );
}

/** The values that a form names one by one. */
const valuesOf = ({ const: only, enum: some = [], type }: Schema): readonly unknown[] =>
  only !== undefined ? [only] : type === 'boolean' ? [true, false] : some;

/** What stands behind the name of a member that was chosen, until more is typed. */
function beginningOf([form]: readonly Schema[]): string {
  const [first] = form === undefined ? [] : valuesOf(form);
  if (first !== undefined) return JSON.stringify(first);
  return form?.type === 'array' ? '[]' : form?.type === 'object' ? '{}' : '""';
}

/** What can stand at a place of the text: names of members that are not there yet, or values that are named one by one. */
export function suggestionsAt(text: string, caret: number): readonly Suggestion[] {
  const { path, isAtPropertyKey, previousNode: node } = getLocation(text, caret);
  const isInside = node !== undefined && node.offset < caret && caret <= node.offset + node.length;
  const from = isInside ? node.offset : caret;
  const isClosed = isInside && node.length > 1 && text[node.offset + node.length - 1] === '"';
  const to = isClosed ? node.offset + node.length : caret;
  const typed = text.slice(from, caret);
  const behind = text.slice(to).trimStart();
  const offered: { readonly label: string; readonly insert: string }[] = [];
  if (isAtPropertyKey) {
    const above = path.slice(0, -1);
    const tree = parseTree(text);
    const object = tree && findNodeAtLocation(tree, above);
    const there = new Set(object?.children?.map(({ children }) => String(children?.[0]?.value)));
    for (const name of formsAt(above).flatMap(({ properties = {} }) => Object.keys(properties))) {
      if (there.has(name)) continue;
      const value = behind.startsWith(':') ? '' : `: ${beginningOf(formsAt([...above, name]))}`;
      offered.push({ label: JSON.stringify(name), insert: `${JSON.stringify(name)}${value}` });
    }
  } else {
    const values = [
      ...new Set(
        formsAt(path)
          .flatMap(valuesOf)
          .map((value) => JSON.stringify(value)),
      ),
    ];
    offered.push(...values.map((label) => ({ label, insert: label })));
  }
  const comma = /^["{[\w-]/.test(behind) ? ',' : '';
  return offered
    .filter(({ label }) => label.startsWith(typed) && label !== text.slice(from, to))
    .map(({ label, insert }) => {
      const kind = isAtPropertyKey ? 'member' : 'value';
      return { kind, label, detail: '', count: null, from, to, text: `${insert}${comma}` };
    });
}
