import { useMemo } from 'react';
import { type DifferenceKind, type DifferenceNode, type Json, openedText } from '../../protocol/index.ts';
import { plural } from '../lib/plural.ts';
import { type TextPiece, textDifference } from '../lib/text-difference.ts';
import { JsonTree } from './json-tree.tsx';
import { LongText } from './long-text.tsx';
import { Seen } from './seen.tsx';
import { Table } from './table.tsx';
import { DIFFERENCE_TABLE } from './texts.ts';

interface DifferenceTableProps {
  readonly difference: DifferenceNode;
  /** What the two sides are called. */
  readonly one: string;
  readonly other: string;
  /** Whether what is the same is shown too, and not only counted. */
  readonly showSame?: boolean;
}

/** So much of what two long texts have in common stands around what differs. */
const CONTEXT = 60;

const SIGNS: Readonly<Record<DifferenceKind, string>> = {
  same: '',
  within: '',
  changed: '≠',
  added: '+',
  removed: '−',
};

/** A row: a member, or how many next to each other are the same. */
type Row =
  | { readonly node: DifferenceNode; readonly depth: number }
  | { readonly same: readonly DifferenceNode[]; readonly depth: number };

function rowsOf(node: DifferenceNode, showSame: boolean, depth: number): Row[] {
  const rows: Row[] = node.name === null && node.kind === 'within' ? [] : [{ node, depth }];
  const below = rows.length === 0 ? depth : depth + 1;
  let same: DifferenceNode[] = [];
  const endSame = (): void => {
    if (same.length > 0) rows.push({ same, depth: below });
    same = [];
  };
  for (const child of node.children) {
    if (child.kind === 'same' && !showSame) same.push(child);
    else {
      endSame();
      rows.push(...rowsOf(child, showSame, below));
    }
  }
  endSame();
  return rows;
}

/** Two JSON values as one tree of their members, each with both values next to each other. */
export function DifferenceTable({ difference, one, other, showSame = false }: DifferenceTableProps) {
  const rows = useMemo(() => rowsOf(difference, showSame, 0), [difference, showSame]);
  return (
    <Table heads={[DIFFERENCE_TABLE.member, one, other]} className="difference">
      {rows.map((row) =>
        'same' in row ? (
          <tr key={`same ${row.same[0]?.pointer}`} className="difference-same">
            <th scope="row" style={{ paddingLeft: indent(row.depth) }}>
              {DIFFERENCE_TABLE.sameCounted(row.same.length)}
            </th>
            <td colSpan={2} className="ellipsis">
              <Seen text={row.same.map(({ name }) => name).join(', ')} />
            </td>
          </tr>
        ) : (
          <MemberRow key={`${row.node.kind} ${row.node.pointer}`} {...row} />
        ),
      )}
    </Table>
  );
}

function indent(depth: number): string {
  return `calc(12px + ${Math.min(depth, 12)} * 14px)`;
}

function MemberRow({ node, depth }: { readonly node: DifferenceNode; readonly depth: number }) {
  const { kind, name } = node;
  return (
    <tr className={`difference-${kind}`}>
      <th scope="row" style={{ paddingLeft: indent(depth) }}>
        <span className="difference-sign" aria-hidden="true">
          {SIGNS[kind]}
        </span>
        <span className="code">{name === null ? DIFFERENCE_TABLE.whole : <Seen text={name} lines />}</span>
        {(kind === 'changed' || kind === 'added' || kind === 'removed') && (
          <span className="visually-hidden"> ({DIFFERENCE_TABLE[kind]})</span>
        )}
        {node.isOpened && <span className="within-text">{DIFFERENCE_TABLE.insideText}</span>}
      </th>
      <Values node={node} />
    </tr>
  );
}

function Values({ node: { kind, one, other, isArray, children } }: { readonly node: DifferenceNode }) {
  if (kind === 'within') {
    return (
      <td colSpan={2} className="muted">
        {plural(children.length, isArray ? DIFFERENCE_TABLE.item : DIFFERENCE_TABLE.memberKind)}
      </td>
    );
  }
  if (kind === 'same') {
    return (
      <td colSpan={2} className="code wraps">
        <LongText text={textOf(one)} />
      </td>
    );
  }
  const isText = one !== undefined && other !== undefined && !isTree(one) && !isTree(other);
  const pieces = isText ? textDifference(textOf(one), textOf(other)) : null;
  return (
    <>
      <td className="code wraps">
        <Side value={one} pieces={pieces?.one} />
      </td>
      <td className="code wraps">
        <Side value={other} pieces={pieces?.other} />
      </td>
    </>
  );
}

/** Whether a value is easier to read as a tree: an object, an array, or a text that is one. */
function isTree(value: Json): boolean {
  return (typeof value === 'object' && value !== null) || (typeof value === 'string' && openedText(value) !== null);
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value);
}

interface SideProps {
  readonly value: Json | undefined;
  readonly pieces: readonly TextPiece[] | undefined;
}

/** A value, with what of it is not in the other marked. */
function Side({ value, pieces }: SideProps) {
  if (value === undefined) return <span className="muted">{DIFFERENCE_TABLE.absent}</span>;
  if (isTree(value)) {
    return (
      <div className="difference-tree">
        <JsonTree value={value} openTo={2} />
      </div>
    );
  }
  if (pieces === undefined) {
    return (
      <mark>
        <LongText text={textOf(value)} />
      </mark>
    );
  }
  let offset = 0;
  return pieces.map(({ text, isChanged }, n) => {
    const key = offset;
    offset += text.length;
    return isChanged ? (
      <mark key={key}>
        <LongText text={text} />
      </mark>
    ) : (
      <Seen key={key} text={shortened(text, n > 0, n < pieces.length - 1)} lines />
    );
  });
}

/** What both texts have, as far as it stands next to what differs. */
function shortened(text: string, hasBefore: boolean, hasAfter: boolean): string {
  const room = CONTEXT * ((hasBefore ? 1 : 0) + (hasAfter ? 1 : 0));
  if (text.length <= room + 10) return text;
  return `${hasBefore ? text.slice(0, CONTEXT) : ''} … ${hasAfter ? text.slice(-CONTEXT) : ''}`;
}
