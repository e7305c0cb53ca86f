import type { Json } from '../../protocol/index.ts';
import { Seen } from './seen.tsx';

/** So many members of one object or array are drawn. */
const MAX_CHILDREN = 500;

interface NodeProps {
  readonly name: string | null;
  readonly value: Json;
  readonly depth: number;
}

function Node({ name, value, depth }: NodeProps) {
  const label =
    name === null ? null : (
      <span className="name">
        <Seen text={name} lines />:{' '}
      </span>
    );
  if (typeof value !== 'object' || value === null) {
    return (
      <li>
        {label}
        <Seen text={JSON.stringify(value)} lines />
      </li>
    );
  }
  const children = Array.isArray(value)
    ? value.map((item, n): [string, Json] => [String(n), item])
    : Object.entries(value as { readonly [member: string]: Json });
  const shown = children.slice(0, MAX_CHILDREN);
  return (
    <li>
      <details open={depth < 3}>
        <summary>
          {label}
          <span className="muted">{Array.isArray(value) ? `[${children.length}]` : `{${children.length}}`}</span>
        </summary>
        <ul>
          {shown.map(([member, item]) => (
            <Node key={member} name={member} value={item} depth={depth + 1} />
          ))}
          {children.length > shown.length && <li className="muted">… {children.length - shown.length} more</li>}
        </ul>
      </details>
    </li>
  );
}

/** A JSON value to unfold. */
export function JsonTree({ value }: { readonly value: Json }) {
  return (
    <ul className="tree">
      <Node name={null} value={value} depth={0} />
    </ul>
  );
}
