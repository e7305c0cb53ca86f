import { epochHash, epochSignedBytes } from '../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import { TableWriter } from '../layout/table.ts';
import type { Subject } from '../subject.ts';
import { digestInGroups } from '../text/groups.ts';
import { counted, many } from '../wording.ts';

/** The epochs with their roots, and the hash by which each refers to the one before. */
export function writeEpochs(flow: Flow, { survey }: Subject): void {
  flow.open('Sect');
  flow.heading(2, 'Epochs', { bookmark: 'section', keep: 90 });
  if (survey.epochs.length === 0) {
    flow.paragraph('The bundle holds no epoch that could be read.');
    flow.close();
    return;
  }
  flow.paragraph(
    'An epoch seals a run of receipts under the root of a Merkle tree (RFC 9162), and refers to the epoch before it.',
  );
  const { mono, small } = flow.styles;
  const table = new TableWriter(flow, [
    { title: 'Epoch', share: 0.09, heads: true },
    { title: 'Numbers and times', share: 0.29 },
    { title: 'Root, own hash, hash before', share: 0.62, style: mono },
  ]);
  for (const epoch of survey.epochs) {
    const run = `${many(epoch.first_seq_no)} – ${many(epoch.last_seq_no)}, ${counted(epoch.leaf_count, 'leaf').replace('leafs', 'leaves')}`;
    table.row([
      many(epoch.epoch_no),
      { text: [run, `from ${epoch.start_time}`, `to ${epoch.end_time}`], style: small },
      {
        text: [
          `root    ${digestInGroups(epoch.root_hash)}`,
          `own     ${digestInGroups(epochHash(epochSignedBytes(epoch)))}`,
          `before  ${epoch.prev_epoch_hash === null ? 'none' : digestInGroups(epoch.prev_epoch_hash)}`,
        ],
      },
    ]);
  }
  table.end();
  flow.close();
}
