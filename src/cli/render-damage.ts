import type { DamageMap, DamageRun, DamageState } from '../protocol/index.ts';
import type { Terminal } from './terminal.ts';

const SIGNS: Record<DamageState, { sign: string; word: string; colour: 'green' | 'red' | 'yellow' }> = {
  proven: { sign: '█', word: 'proven', colour: 'green' },
  damaged: { sign: '✗', word: 'damaged', colour: 'red' },
  unproven: { sign: '░', word: 'not proven', colour: 'yellow' },
  missing: { sign: '·', word: 'missing', colour: 'red' },
};

/** What a cell of the map shows where several runs fall into it. */
const GRAVEST: readonly DamageState[] = ['damaged', 'missing', 'unproven', 'proven'];

const WIDTH = 60;
/** More ranges than these are counted, not listed; --json has them all. */
const MAX_LISTED = 20;

/** One line of cells for all runs, each cell in the gravest state that falls into it. */
function cells(runs: readonly DamageRun[]): DamageState[] {
  const first = runs[0]?.first_seq_no ?? 1;
  const last = runs.at(-1)?.last_seq_no ?? first;
  const width = Math.min(WIDTH, last - first + 1);
  const cellOf = (seqNo: number): number =>
    Math.min(width - 1, Math.floor(((seqNo - first) / (last - first + 1)) * width));
  const ranks = new Array<number>(width).fill(GRAVEST.length - 1);
  for (const { first_seq_no, last_seq_no, state } of runs) {
    const rank = GRAVEST.indexOf(state);
    for (let cell = cellOf(first_seq_no); cell <= cellOf(last_seq_no); cell++) {
      ranks[cell] = Math.min(ranks[cell] ?? rank, rank);
    }
  }
  return ranks.map((rank) => GRAVEST[rank] ?? 'proven');
}

/** Which records stay proven, where not all do. */
export function renderDamage({ runs, joined }: DamageMap, trusted: boolean, terminal: Terminal): void {
  if (runs.every(({ state }) => state === 'proven')) return;
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return;
  const line = cells(runs).map((state) => terminal.style(SIGNS[state].colour, SIGNS[state].sign));
  terminal.line();
  terminal.line(`  Records ${first.first_seq_no} to ${last.last_seq_no}:`);
  terminal.line(`  ${line.join('')}`);
  for (const { first_seq_no, last_seq_no, state } of runs.slice(0, MAX_LISTED)) {
    const { sign, word, colour } = SIGNS[state];
    const range = first_seq_no === last_seq_no ? `${first_seq_no}` : `${first_seq_no} to ${last_seq_no}`;
    terminal.line(`  ${terminal.style(colour, `${sign} ${word.padEnd(10)}`)}  ${range}`);
  }
  if (runs.length > MAX_LISTED) terminal.line(`       … ${runs.length - MAX_LISTED} more: see --json`);
  if (joined > 0) terminal.line(`  The last range stands for ${joined + 1} that were too many to tell apart.`);
  if (!trusted) terminal.line('  Proven here means: consistent with what this issuer signed, whom you do not trust.');
}
