import type { Climb, Subtree } from '../proof/merkle-climb.ts';
import { hexOf } from '../proof/step.ts';
import { Seen } from '../ui/seen.tsx';
import { MERKLE_PATH } from './texts.ts';

const BOX = { width: 176, height: 34 };
const LEVEL = 58;
const GAP = 28;
const WIDTH = 3 * BOX.width + 2 * GAP;
const CENTRE = BOX.width + GAP;

interface MerklePathProps {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly levels: readonly Climb[];
  readonly firstSeqNo: number;
}

/**
 * The way of a record through its epoch's tree: the leaf at the bottom, the root on top, at each level what was computed
 * (outlined) and the sibling that the proof gives.
 */
export function MerklePath({ leaf, index, levels, firstSeqNo }: MerklePathProps) {
  const height = levels.length * LEVEL + BOX.height + 8;
  const yOf = (level: number): number => height - BOX.height - 4 - level * LEVEL;
  const bottom: Subtree = levels[0]?.node ?? { from: index, to: index + 1, hash: leaf };
  return (
    <div className="stack">
      <p className="note muted">{MERKLE_PATH.meaning}</p>
      <svg
        className="merkle"
        viewBox={`-1 0 ${WIDTH + 2} ${height}`}
        width={WIDTH}
        role="img"
        aria-label={MERKLE_PATH.path(firstSeqNo + index, levels.length)}
      >
        {levels.map(({ sibling, siblingIsLeft }, level) => {
          const y = yOf(level);
          const siblingX = siblingIsLeft ? 0 : 2 * (BOX.width + GAP);
          const top = y - (LEVEL - BOX.height);
          const middle = (y + top) / 2;
          const lineTo = (x: number): string => `M${x} ${y} V${middle} H${CENTRE + BOX.width / 2} V${top}`;
          return (
            <g key={sibling.from}>
              <path d={lineTo(siblingX + BOX.width / 2)} />
              <path className="taken" d={lineTo(CENTRE + BOX.width / 2)} />
              <Box x={siblingX} y={y} tree={sibling} firstSeqNo={firstSeqNo} />
            </g>
          );
        })}
        <Box x={CENTRE} y={yOf(0)} tree={bottom} firstSeqNo={firstSeqNo} isComputed name="leaf" />
        {levels.map(({ parent }, level) => (
          <Box
            key={parent.to - parent.from}
            x={CENTRE}
            y={yOf(level + 1)}
            tree={parent}
            firstSeqNo={firstSeqNo}
            isComputed
            {...(level === levels.length - 1 ? { name: 'root' } : {})}
          />
        ))}
      </svg>
    </div>
  );
}

interface BoxProps {
  readonly x: number;
  readonly y: number;
  readonly tree: Subtree;
  readonly firstSeqNo: number;
  readonly isComputed?: boolean;
  readonly name?: string;
}

function Box({ x, y, tree, firstSeqNo, isComputed = false, name }: BoxProps) {
  const hex = hexOf(tree.hash);
  const first = firstSeqNo + tree.from;
  const last = firstSeqNo + tree.to - 1;
  return (
    <g className={isComputed ? 'computed' : ''} transform={`translate(${x} ${y})`}>
      <title>{hex}</title>
      <rect width={BOX.width} height={BOX.height} rx="3" />
      <text x="8" y="14">
        {hex.slice(0, 8)}…{hex.slice(-8)}
      </text>
      <text x="8" y="27" className="small">
        {name === undefined ? '' : <Seen text={`${name} · `} />}
        {first === last ? MERKLE_PATH.record(first) : MERKLE_PATH.records(first, last)}
      </text>
    </g>
  );
}
