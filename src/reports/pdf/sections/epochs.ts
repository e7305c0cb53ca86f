import {
  clockCorrectedAt,
  describeWrongClock,
  type Edges,
  epochHash,
  epochSignedBytes,
  type Neighbour,
  type VerificationReport,
} from '../../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import { TableWriter } from '../layout/table.ts';
import type { Subject } from '../subject.ts';
import { digitsInGroups } from '../text/groups.ts';
import { leftOut, many, SUMMARY_ROWS } from '../wording.ts';

/** Which receipts stand next to the records of the bundle: where its range was cut out of the ledger. */
function besideTheRecords({ before, after }: Edges, times: VerificationReport['corrected_times']): string {
  const next = (neighbour: Neighbour | null): string => {
    if (neighbour === null) return 'none';
    const { seq_no, server_received_at } = neighbour.ear;
    const correctedAt = clockCorrectedAt(times, 'seq_no', seq_no);
    const note = correctedAt === null ? '' : ` (${describeWrongClock('this time', correctedAt)})`;
    return `${many(seq_no)}, received ${server_received_at}${note}`;
  };
  return `Next receipt before the range: ${next(before)}. Next receipt after the range: ${next(after)}.`;
}

/** The epochs with their roots, and the hash by which each refers to the one before. */
export async function writeEpochs(flow: Flow, { survey, details, report }: Subject): Promise<void> {
  flow.open('Sect');
  flow.heading(2, 'Epochs', { bookmark: 'section', keep: 90 });
  if (survey.epochs.length === 0) {
    flow.paragraph('The bundle holds no epoch that could be read.');
    if (survey.edges !== null) flow.paragraph(besideTheRecords(survey.edges, report.corrected_times));
    flow.close();
    return;
  }
  flow.paragraph(
    'An epoch seals a run of receipts under the root of a Merkle tree (RFC 9162), and refers to the epoch before it. It also ' +
      'seals the root of the log: the tree of all receipts of the organization up to its end.',
  );
  if (survey.edges !== null) flow.paragraph(besideTheRecords(survey.edges, report.corrected_times));
  const mono = { ...flow.styles.mono, size: 6.4 };
  const small = { ...flow.styles.small, size: 7.4 };
  const table = new TableWriter(flow, [
    { title: 'Epoch', share: 0.09, heads: true },
    { title: 'Numbers and times', share: 0.27 },
    { title: 'Root, root of the log, own hash, hash of the epoch before (SHA-256)', share: 0.64, style: mono },
  ]);
  const shown = details ? survey.epochs : survey.epochs.slice(0, SUMMARY_ROWS);
  for (const epoch of shown) {
    const run = `${many(epoch.first_seq_no)} – ${many(epoch.last_seq_no)}, ${epoch.leaf_count === 1 ? '1 leaf' : `${many(epoch.leaf_count)} leaves`}`;
    const correctedAt = clockCorrectedAt(report.corrected_times, 'epoch_no', epoch.epoch_no);
    const clock = correctedAt === null ? [] : [describeWrongClock('These times', correctedAt)];
    table.row([
      many(epoch.epoch_no),
      { text: [run, `from ${epoch.start_time}`, `to ${epoch.end_time}`, ...clock], style: small },
      {
        text: [
          `root ${digitsInGroups(epoch.root_hash)}`,
          `log  ${digitsInGroups(epoch.log_root)}`,
          `own  ${digitsInGroups(epochHash(epochSignedBytes(epoch)))}`,
          `prev ${epoch.prev_epoch_hash === null ? 'none' : digitsInGroups(epoch.prev_epoch_hash)}`,
        ],
      },
    ]);
    await flow.rest();
  }
  table.end();
  const rest = leftOut(survey.epochs.length - shown.length, 'epoch');
  if (rest !== null) flow.paragraph(rest);
  flow.close();
}
