import { type ReactNode, useMemo } from 'react';
import { type Json, MAX_OPENINGS, openedText, pointerStep } from '../../protocol/index.ts';
import { LongText } from './long-text.tsx';
import { Seen } from './seen.tsx';
import { JSON_TREE } from './texts.ts';

/** This many members of one object or array are drawn. */
const MAX_CHILDREN = 500;

/** Draws a scalar value in a special way, such as with what a search found in it; null for the ordinary way. */
export type DrawScalar = (pointer: string, value: string | number | boolean | null) => ReactNode | null;
/** The same for the name of a member. */
export type DrawName = (pointer: string, name: string) => ReactNode | null;

interface NodeProps {
  readonly name: string | null;
  readonly value: Json;
  readonly depth: number;
  /** A JSON Pointer into the tree, texts that are JSON counting as opened. */
  readonly pointer: string;
  readonly openings: number;
  readonly openTo: number;
  readonly draw: DrawScalar | undefined;
  readonly drawName: DrawName | undefined;
}

function Node({ name, value: given, depth, pointer, openings, openTo, draw, drawName }: NodeProps) {
  const opened = useMemo(
    () => (typeof given === 'string' && openings < MAX_OPENINGS ? openedText(given) : null),
    [given, openings],
  );
  const value = opened ?? given;
  const label =
    name === null ? null : <span className="name">{drawName?.(pointer, name) ?? <Seen text={name} lines />}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <li>
        {label}
        {draw?.(pointer, value) ?? <Scalar value={value} />}
      </li>
    );
  }
  const children = Array.isArray(value)
    ? value.map((item, n): [string, Json] => [String(n), item])
    : Object.entries(value as { readonly [member: string]: Json });
  const shown = children.slice(0, MAX_CHILDREN);
  return (
    <li>
      <details open={depth < openTo}>
        <summary>
          {label}
          <span className="muted">{Array.isArray(value) ? `[${children.length}]` : `{${children.length}}`}</span>
          {opened !== null && (
            <span className="within-text" title={JSON_TREE.openedText}>
              {JSON_TREE.insideText}
            </span>
          )}
        </summary>
        <ul>
          {shown.map(([member, item]) => (
            <Node
              key={member}
              name={member}
              value={item}
              depth={depth + 1}
              pointer={pointer + pointerStep(member)}
              openings={opened === null ? openings : openings + 1}
              openTo={openTo}
              draw={draw}
              drawName={drawName}
            />
          ))}
          {children.length > shown.length && (
            <li className="muted">{JSON_TREE.more(children.length - shown.length)}</li>
          )}
        </ul>
      </details>
    </li>
  );
}

/** A text in quotes, its lines below one another; any other value as JSON has it. */
export function Scalar({ value }: { readonly value: string | number | boolean | null }) {
  if (typeof value !== 'string') {
    return (
      <span className="scalar">
        <Seen text={JSON.stringify(value)} lines />
      </span>
    );
  }
  if (!value.includes('\n')) return <LongText text={JSON.stringify(value)} />;
  return (
    <span className="text-lines">
      <LongText text={value} />
    </span>
  );
}

interface JsonTreeProps {
  readonly value: Json;
  /** Down to which depth it is unfolded at first. */
  readonly openTo?: number;
  readonly draw?: DrawScalar;
  readonly drawName?: DrawName;
}

/** A JSON value to unfold. Texts that are JSON themselves are opened, and say so; long ones are folded. */
export function JsonTree({ value, openTo = 3, draw, drawName }: JsonTreeProps) {
  return (
    <ul className="tree">
      <Node
        value={value}
        openTo={openTo}
        draw={draw}
        drawName={drawName}
        name={null}
        depth={0}
        pointer=""
        openings={0}
      />
    </ul>
  );
}
