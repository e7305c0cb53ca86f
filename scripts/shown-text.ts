import { parseSync, Visitor } from 'vite';

/** Members whose values somebody else chose: of records, bundles, events, accounts, files. */
const FOREIGN: ReadonlySet<string> = new Set([
  'action',
  'actor',
  'actual',
  'agent_id',
  'display_name',
  'email',
  'endpoint_url',
  'error',
  'expected',
  'file_name',
  'message',
  'name',
  'note',
  'operation_type',
  'orgName',
  'org_name',
  'reason',
  'responsible_entity',
  'subject',
  'tag',
  'target_id',
]);

/** Attributes that a browser shows or reads out as they are. */
const SHOWN_ATTRIBUTES: ReadonlySet<string> = new Set(['title', 'aria-label', 'alt']);

export interface ShownRaw {
  readonly line: number;
  readonly reason: string;
}

/** What is read of a syntax tree: every node has a type, and more that depends on it. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/**
 * Where a page shows a text that somebody else chose without making visible what it hides: `<Seen>` does that for what
 * is drawn, `visibleText` for what can only be a string. Pure: text of a module in, list out.
 */
export function findShownRaw(path: string, source: string): ShownRaw[] {
  const { program } = parseSync(path, source, { sourceType: 'module' });
  const found: ShownRaw[] = [];
  const add = (offset: number, reason: string): void => {
    found.push({ line: source.slice(0, offset).split('\n').length, reason });
  };
  const children = (all: readonly unknown[]): void => {
    for (const child of all as Node[]) {
      if (child.type !== 'JSXExpressionContainer') continue;
      for (const name of rawNames(child['expression'] as Node)) {
        add(Number(child['start']), `{…${name}} is drawn as it comes: show it with <Seen text={…} />`);
      }
    }
  };
  new Visitor({
    JSXElement: (node) => children(node.children),
    JSXFragment: (node) => children(node.children),
    JSXOpeningElement(node) {
      const element = node.name.type === 'JSXIdentifier' ? node.name.name : '';
      if (element === 'bdi') add(node.start, '<bdi> sets a text off and shows nothing of what it hides: use <Seen>');
      // Other components show a title in their own way, by <Seen>; links hand it on to the browser.
      if (!/^[a-z]|Link$/.test(element)) return;
      for (const attribute of node.attributes as unknown as Node[]) {
        const name = (attribute['name'] as { readonly name?: unknown } | undefined)?.name;
        const value = attribute['value'] as Node | null | undefined;
        if (typeof name !== 'string' || !SHOWN_ATTRIBUTES.has(name)) continue;
        if (value?.type !== 'JSXExpressionContainer') continue;
        for (const raw of rawNames(value['expression'] as Node)) {
          add(Number(attribute['start']), `${name}={…${raw}} is shown as it comes: put visibleText(…) around it`);
        }
      }
    },
  }).visit(program);
  return found;
}

/** The foreign members whose values an expression may itself come to; what calls make of them is theirs. */
function rawNames(expression: Node): string[] {
  const parts = (...members: string[]): string[] => members.flatMap((member) => rawNames(expression[member] as Node));
  switch (expression.type) {
    case 'Identifier':
      return FOREIGN.has(String(expression['name'])) ? [String(expression['name'])] : [];
    case 'MemberExpression': {
      if (isCatalogue(expression['object'] as Node)) return [];
      const name = memberName(expression);
      return FOREIGN.has(name) ? [name] : [];
    }
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return parts('expression');
    case 'LogicalExpression':
      return expression['operator'] === '&&' ? parts('right') : parts('left', 'right');
    case 'BinaryExpression':
      return expression['operator'] === '+' ? parts('left', 'right') : [];
    case 'ConditionalExpression':
      return parts('consequent', 'alternate');
    case 'TemplateLiteral':
      return (expression['expressions'] as Node[]).flatMap(rawNames);
    // What these make of a value is still the value.
    case 'CallExpression': {
      const callee = expression['callee'] as Node;
      const text = callee.type === 'Identifier' ? callee['name'] : memberName(callee);
      return text === 'String' || text === 'stringify' ? [`${text}(…)`] : [];
    }
    default:
      return [];
  }
}

/** Whether it is a constant of the page's own, as its catalogues of texts are: nobody else chose what is in it. */
function isCatalogue(object: Node): boolean {
  return object.type === 'Identifier' && /^[A-Z][A-Z_]+$/.test(String(object['name']));
}

function memberName(expression: Node): string {
  const property = expression['property'] as Node | undefined;
  return String(expression['computed'] === true ? property?.['value'] : property?.['name']);
}
