import { parseSync, Visitor } from 'vite';

export interface WrittenText {
  /** Where it begins in its module, in UTF-16 units. */
  readonly start: number;
  readonly line: number;
  /** As it is written, in one line; … for what is put in. */
  readonly text: string;
}

/** What is read of a syntax tree: every node has a type, and more that depends on it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** Attributes whose whole value is read by people, of elements and of the page's own components. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['title', 'aria-label', 'aria-description', 'aria-roledescription', 'placeholder', 'alt'],
  ...['label', 'hint', 'what', 'verb', 'word', 'head', 'heads', 'legend'],
]);

/** Attributes that are for machines, whatever their values look like. */
const FOR_MACHINES =
  /^(className|id|type|role|key|to|from|href|d|viewBox|style|autoComplete|inputMode|htmlFor|pattern|call|rel|target|dir)$/;

/** Functions that look for an element or a member by its name, and errors that only a programmer sees. */
const NOT_SHOWN_CALLS =
  /^(Error|TypeError|RangeError|Event|querySelector|querySelectorAll|closest|matches|addEventListener|removeEventListener|getItem|setItem|getRouteApi|lazyRouteComponent|supports|matchMedia)$/;

/** What a program reads, such as a member of a file, a command, a key, a font, a column or a query; two keys to press; the names of products; a number with the symbol of its unit. */
const FOR_PROGRAMS =
  /^(npx |seq_no, |-----BEGIN |(?:\d+|…)px |minmax\(|[a-z] [a-z]$|Countersign$|Google$|outcome ?= ?|… ms$|\/|[a-z\d]+([._-][a-z\d]+)+$)/;

/** Words as people read them: several with blanks between, or one that begins as a sentence or a label does. */
function isProse(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}’']*/gu) ?? [];
  if (/^[\p{Ll}\d]+(?:-[\p{Ll}\d]+)+(?: |$)/u.test(text.trim())) return false;
  if (/^\s*[MLHVACmlhvac] ?-?\d/.test(text)) return false;
  if (FOR_PROGRAMS.test(text)) return false;
  if (/^\d+ \p{L}{3,}/u.test(text)) return true;
  return words.length >= 2 && /\p{L}[,;:]? +[\p{L}\d(“]/u.test(text)
    ? true
    : /^\p{Lu}\p{Ll}+(?:-\p{Ll}+)*[.:…]?$/u.test(text.trim());
}

/** A word before or after what a template puts in. */
const PROSE_AROUND = /… \p{L}{2,}(?!-)|(?<![-\p{L}])\p{L}{2,}[,:]? …/u;

const hasLetters = (text: string): boolean => /\p{L}{2,}/u.test(text);

/**
 * The texts for people that a module writes itself, instead of taking them from a catalogue (`texts.ts`): text of elements,
 * attributes that a browser shows or reads out, and strings that read as prose. Pure: source in, list out.
 */
export function findWrittenTexts(path: string, source: string): WrittenText[] {
  const { program } = parseSync(path, source, { sourceType: 'module' });
  const found = new Map<number, WrittenText>();
  const add = (node: Node, text: string): void => {
    const inOneLine = text.trim().replace(/\s+/g, ' ');
    found.set(node.start, { start: node.start, line: source.slice(0, node.start).split('\n').length, text: inOneLine });
  };
  /** Adds every string that an expression may come to, if it has letters: in a place that is read by people. */
  const addShown = (node: Node | null | undefined): void => {
    for (const text of stringsOf(node))
      if (hasLetters(text.text) && !FOR_PROGRAMS.test(text.text)) add(text.node, text.text);
  };
  const skipped = new Set<number>();
  const skip = (node: Node | null | undefined): void => {
    for (const { node: at } of stringsOf(node)) skipped.add(at.start);
  };
  const children = (all: readonly unknown[]): void => {
    for (const child of all as Node[]) {
      if (
        child.type === 'JSXText' &&
        hasLetters(String(child['value'])) &&
        String(child['value']).trim() !== 'Countersign'
      )
        add(child, String(child['value']));
      if (child.type === 'JSXExpressionContainer') addShown(child['expression'] as Node);
    }
  };
  new Visitor({
    JSXElement: (node) => {
      if (!isCode(node.openingElement as unknown as Node)) children(node.children);
    },
    JSXFragment: (node) => children(node.children),
    JSXAttribute(node) {
      const name = String((node.name as unknown as Node)['name']);
      const value = node.value as unknown as Node | null;
      const inner = value?.type === 'JSXExpressionContainer' ? (value['expression'] as Node) : value;
      if (FOR_MACHINES.test(name) || name.startsWith('data-')) skip(inner);
      else if (SHOWN.has(name)) addShown(inner);
    },
    CallExpression: (node) => {
      // A noun with its forms, which goes with a number.
      if (/^(plural|nounFor)$/.test(calleeName(node.callee as unknown as Node))) {
        for (const argument of node.arguments.slice(1)) addShown(argument as unknown as Node);
      }
      if (NOT_SHOWN_CALLS.test(calleeName(node.callee as unknown as Node)))
        for (const argument of node.arguments) skip(argument as unknown as Node);
    },
    TaggedTemplateExpression: (node) => {
      // A program that people paste into a terminal, comments and all.
      if (calleeName(node.tag as unknown as Node) === 'programText') skip(node.quasi as unknown as Node);
    },
    NewExpression: (node) => {
      if (NOT_SHOWN_CALLS.test(calleeName(node.callee as unknown as Node)))
        for (const argument of node.arguments) skip(argument as unknown as Node);
    },
    BinaryExpression: (node) => {
      if (/^[=!]==$/.test(node.operator)) for (const side of [node.left, node.right]) skip(side as unknown as Node);
    },
    MemberExpression: (node) => skip(node.property as unknown as Node),
    SwitchCase: (node) => skip(node.test as unknown as Node),
    ImportDeclaration: (node) => skip(node.source as unknown as Node),
    ExportNamedDeclaration: (node) => skip(node.source as unknown as Node),
    ImportExpression: (node) => skip(node.source as unknown as Node),
    TSLiteralType: (node) => skip(node.literal as unknown as Node),
    Property: (node) => {
      if (node.computed) return;
      skip(node.key as unknown as Node);
      if (SHOWN.has(String((node.key as unknown as Node)['name']))) addShown(node.value as unknown as Node);
    },
  }).visit(program);
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string' && !skipped.has(node.start) && isProse(node.value))
        add(node as unknown as Node, node.value);
    },
    TemplateLiteral(node) {
      const text = node.quasis.map(({ value }) => value.cooked ?? '').join('…');
      if (!skipped.has(node.start) && (isProse(text) || (PROSE_AROUND.test(text) && !FOR_PROGRAMS.test(text))))
        add(node as unknown as Node, text);
    },
  }).visit(program);
  return [...found.values()].sort((a, b) => a.line - b.line);
}

/** What is typed or sent as it stands, such as a command or the name of a member, is the same in every language. */
function isCode(opening: Node): boolean {
  if ((opening['name'] as Node)['name'] === 'code') return true;
  return (opening['attributes'] as Node[]).some((attribute) => {
    const name = (attribute['name'] as Node | undefined)?.['name'];
    const value = (attribute['value'] as Node | null | undefined)?.['value'];
    return name === 'className' && typeof value === 'string' && value.split(' ').includes('code');
  });
}

function calleeName(callee: Node): string {
  if (callee.type === 'Identifier') return String(callee['name']);
  return String((callee['property'] as Node | undefined)?.['name'] ?? '');
}

/** The strings that an expression may itself come to; what calls make of theirs is not followed. */
function stringsOf(node: Node | null | undefined): { readonly node: Node; readonly text: string }[] {
  if (node === null || node === undefined) return [];
  const parts = (...members: string[]) => members.flatMap((member) => stringsOf(node[member] as Node | undefined));
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [{ node, text: node['value'] }] : [];
    case 'TemplateLiteral': {
      const quasis = node['quasis'] as { readonly value: { readonly cooked: string | null } }[];
      const inner = (node['expressions'] as Node[]).flatMap(stringsOf);
      return [{ node, text: quasis.map(({ value }) => value.cooked ?? '').join('…') }, ...inner];
    }
    case 'ConditionalExpression':
      return parts('consequent', 'alternate');
    case 'LogicalExpression':
      return node['operator'] === '&&' ? parts('right') : parts('left', 'right');
    case 'BinaryExpression':
      return node['operator'] === '+' ? parts('left', 'right') : [];
    case 'ArrayExpression':
      return (node['elements'] as Node[]).flatMap(stringsOf);
    case 'ObjectExpression':
      return (node['properties'] as Node[]).flatMap((property) => stringsOf(property['value'] as Node | undefined));
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return parts('expression');
    default:
      return [];
  }
}
