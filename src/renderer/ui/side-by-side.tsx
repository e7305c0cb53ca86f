import type { Json } from '../../protocol/index.ts';
import { type JsonDifference, textDifference } from '../lib/json-difference.ts';
import { Seen } from './seen.tsx';
import { Table } from './table.tsx';

interface SideBySideProps {
  readonly differences: readonly JsonDifference[];
  /** What the two sides are called. */
  readonly one: string;
  readonly other: string;
}

/** So much of what two long texts have in common stands around what differs. */
const CONTEXT = 60;

function textOf(value: Json | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Members that differ, one a row, with both values next to each other. */
export function SideBySide({ differences, one, other }: SideBySideProps) {
  return (
    <Table heads={['Member', one, other]} className="member-diff">
      {differences.map(({ pointer, one: left, other: right }) => (
        <tr key={pointer}>
          <th scope="row" className="code">
            {pointer === '' ? 'all of it' : <Seen text={pointer} lines />}
          </th>
          <td className="code wraps">
            <Value text={textOf(left)} against={textOf(right)} />
          </td>
          <td className="code wraps">
            <Value text={textOf(right)} against={textOf(left)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** A value, with what of it is not in the other marked. */
function Value({ text, against }: { readonly text: string | null; readonly against: string | null }) {
  if (text === null) return <span className="muted">not there</span>;
  if (against === null)
    return (
      <mark>
        <Seen text={text} lines />
      </mark>
    );
  const { start, changed, end } = textDifference(text, against);
  return (
    <>
      {start.length > CONTEXT && <span className="muted">… </span>}
      <Seen text={start.slice(-CONTEXT)} lines />
      {changed !== '' && (
        <mark>
          <Seen text={changed} lines />
        </mark>
      )}
      <Seen text={end.slice(0, CONTEXT)} lines />
      {end.length > CONTEXT && <span className="muted"> …</span>}
    </>
  );
}
