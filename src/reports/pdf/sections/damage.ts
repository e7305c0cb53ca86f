import type { DamageRun, DamageState } from '../../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import type { Subject } from '../subject.ts';
import { many } from '../wording.ts';

const MEANING: Readonly<Record<DamageState, string>> = {
  proven: 'proven: signatures hold, and an intact epoch seals them',
  damaged: 'damaged: a finding above names them',
  unproven: 'not proven: nothing was found against them, but what would prove them is broken or not there',
  missing: 'missing: no readable record',
};

/** Longer lists help nobody on paper; the report as JSON has them all. */
const MAX_LISTED = 200;

function line({ first_seq_no, last_seq_no, state }: DamageRun): string {
  const numbers =
    first_seq_no === last_seq_no
      ? `Number ${many(first_seq_no)}`
      : `Numbers ${many(first_seq_no)} to ${many(last_seq_no)}`;
  return `${numbers}: ${MEANING[state]}`;
}

/** Which records stay proven beside what was found, where not all do. */
export function writeDamage(flow: Flow, { report }: Pick<Subject, 'report'>): void {
  const { runs, joined } = report.damage;
  if (runs.every(({ state }) => state === 'proven')) return;
  flow.open('Sect');
  flow.heading(3, 'What stays proven', { keep: 70 });
  flow.paragraph(
    report.issuer.pinned
      ? 'By sequence numbers of the records:'
      : 'By sequence numbers of the records. Proven is only what this issuer says, whom the reader does not trust.',
    flow.styles.body,
    { after: 2 },
  );
  flow.list(runs.slice(0, MAX_LISTED).map(line));
  if (runs.length > MAX_LISTED) {
    flow.paragraph(
      `${many(runs.length - MAX_LISTED)} more ranges were found and are not listed, the last up to ${many(runs.at(-1)?.last_seq_no ?? 0)}.`,
      flow.styles.bold,
    );
  }
  if (joined > 0) {
    flow.paragraph(`The last range stands for ${many(joined + 1)} that were too many to tell apart.`, flow.styles.bold);
  }
  flow.close();
}
