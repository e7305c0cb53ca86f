import { epochHash, epochSignedBytes } from '../../../protocol/index.ts';
import { recordContent } from '../../chosen/index.ts';
import type { Flow } from '../layout/flow.ts';
import { TableWriter } from '../layout/table.ts';
import { writeCheckTable } from '../sections/checks.ts';
import { writeFindings } from '../sections/findings.ts';
import { digitsInGroups, kidInGroups } from '../text/groups.ts';
import { textNotes } from '../text/text-note.ts';
import { leftOut, many, SUMMARY_ROWS } from '../wording.ts';
import { writeDenseFacts } from './blocks.ts';
import type { ChosenSubject } from './chosen-subject.ts';

/** The proof for people who check it: what was checked, with which keys, and the hashes and signatures of each record. */
export async function writeTechnicalProof(flow: Flow, subject: ChosenSubject): Promise<void> {
  const { judgement, records, details, version } = subject;
  flow.newPage();
  flow.open('Sect');
  flow.heading(2, 'The proof', { bookmark: 'section', keep: 90 });
  writeCheckTable(flow, judgement.proof);
  if (judgement.problems.length > 0) flow.list(judgement.problems.map(({ code, message }) => `${code}: ${message}`));
  if (judgement.proof.findings.length > 0) await writeFindings(flow, { report: judgement.proof, details });
  await writeKeys(flow, subject);
  if (details) {
    flow.heading(3, 'Hashes and signatures', { keep: 60 });
    for (const view of records) {
      const { number, hashes } = recordContent(view, judgement.report.signature);
      writeDenseFacts(flow, [{ name: 'Record', value: number }, ...hashes]);
      flow.gap(5);
      await flow.rest();
    }
  }
  flow.paragraph(
    'The data attached as countersign-report.json are canonical JSON (RFC 8785); their digest stands on the first page and is over ' +
      'everything in them but itself and the signature. docs/protocol of the product says what each statement is.',
    flow.styles.small,
  );
  for (const note of textNotes(flow.styles.further.missingScripts)) flow.paragraph(note, flow.styles.muted);
  flow.paragraph(`Made by Countersign ${version}.`, flow.styles.muted);
  flow.close();
}

async function writeKeys(flow: Flow, { proof, details }: ChosenSubject): Promise<void> {
  const { mono, small } = flow.styles;
  const fine = { ...mono, size: 6.4 };
  flow.heading(3, 'Keys and seals', { keep: 60 });
  const table = new TableWriter(flow, [
    { title: 'What', share: 0.28, heads: true },
    { title: 'Fingerprint of the key, or root of the seal', share: 0.72, style: fine },
  ]);
  for (const { kid } of proof.service_keys) table.row(['Service key', kidInGroups(kid)]);
  const agents = details ? proof.agents : proof.agents.slice(0, SUMMARY_ROWS);
  for (const { agent_id, keys } of agents) {
    for (const { kid, public_key } of keys) {
      table.row([{ text: [agent_id, `key ${kid}`], style: small }, kidInGroups(public_key)]);
      await flow.rest();
    }
  }
  const { epoch } = proof.seal;
  table.row([
    {
      text: [`Epoch ${many(epoch.epoch_no)}`, `log of No. 1 – ${epoch.last_seq_no}`],
      style: small,
    },
    {
      text: [`root ${digitsInGroups(epoch.log_root)}`, `own  ${digitsInGroups(epochHash(epochSignedBytes(epoch)))}`],
    },
  ]);
  table.end();
  const rest = leftOut(proof.agents.length - agents.length, 'agent', 'the attached data have');
  if (rest !== null) flow.paragraph(rest);
}
