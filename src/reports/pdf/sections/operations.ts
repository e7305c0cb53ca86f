import {
  type BundleContent,
  type BundleRecord,
  clockCorrectedAt,
  describeWrongClock,
  type Finding,
  readContents,
  shownPayload,
  type VerificationReport,
  withheldNames,
} from '../../../protocol/index.ts';
import { type Fact, writeFactBlock } from '../layout/fact-block.ts';
import { CODE_PADDING, type Flow, lineHeight } from '../layout/flow.ts';
import { widthOf } from '../layout/lines.ts';
import { drawMark } from '../layout/marks.ts';
import { COLOURS } from '../layout/theme.ts';
import type { Subject } from '../subject.ts';
import { digestInGroups } from '../text/groups.ts';
import { jsonLines } from '../text/json-lines.ts';
import { counted, many, sentence } from '../wording.ts';

/** A bookmark after each run of this many operations. */
const PER_BOOKMARK = 100;

/** Heading, facts and the first lines of the payload stay on one page, in points. */
const KEPT_TOGETHER = 150;

/** How many findings are named beside an operation; all of them stand under Findings. */
const MAX_NAMED = 12;

function findingsBySeqNo(findings: readonly Finding[]): Map<number, number[]> {
  const byNumber = new Map<number, number[]>();
  for (const { id, where } of findings) {
    if (where.seq_no === undefined) continue;
    const ids = byNumber.get(where.seq_no);
    if (ids === undefined) byNumber.set(where.seq_no, [id]);
    else ids.push(id);
  }
  return byNumber;
}

/** Writes the operations of a bundle, one after the other, in the order of the bundle. */
export class OperationsWriter {
  readonly #flow: Flow;
  readonly #findings: ReadonlyMap<number, readonly number[]>;
  readonly #correctedTimes: VerificationReport['corrected_times'];
  readonly #columns: number;
  #written = 0;

  constructor(flow: Flow, { findings, corrected_times }: Pick<VerificationReport, 'findings' | 'corrected_times'>) {
    this.#flow = flow;
    this.#findings = findingsBySeqNo(findings);
    this.#correctedTimes = corrected_times;
    const { mono } = flow.styles;
    this.#columns = Math.floor(((flow.width - CODE_PADDING) * 1000) / mono.size / widthOf(mono.typeset.set('0'), 1000));
  }

  write({ eor, ear, disclosures }: BundleRecord): void {
    const flow = this.#flow;
    const ids = this.#findings.get(ear.seq_no) ?? [];
    flow.open('Sect');
    const bookmark = this.#written++ % PER_BOOKMARK === 0 ? ({ bookmark: 'part' } as const) : {};
    flow.heading(3, `No. ${ear.seq_no}   ${eor.operation_type}   ${eor.action}`, {
      ...bookmark,
      keep: KEPT_TOGETHER,
    });
    if (ids.length > 0) this.#accuse(ids);
    const correctedAt = clockCorrectedAt(this.#correctedTimes, 'seq_no', ear.seq_no);
    const before = eor.prev_chain_hash === null ? 'none: first of its agent' : digestInGroups(eor.prev_chain_hash);
    const facts: Fact[] = [
      { name: 'subject', value: eor.subject },
      { name: 'agent', value: `${eor.agent_id}, key ${eor.agent_pubkey_kid}` },
      {
        name: 'issued',
        value: `${eor.issued_at}, valid for ${many(eor.ttl_ms)} ms; received ${ear.server_received_at}`,
      },
      ...(correctedAt === null
        ? []
        : [{ name: 'clock', value: describeWrongClock('The time of receipt', correctedAt) }]),
      { name: 'operation', value: `${eor.operation_id}, nonce ${eor.nonce}` },
      { name: 'payload hash', value: digestInGroups(eor.payload_hash), code: true },
      { name: 'chain before', value: before, code: true },
      { name: 'chain hash', value: digestInGroups(ear.chain_hash), code: true },
      { name: 'signature', value: eor.signature, code: true },
      { name: 'receipt', value: `${ear.receipt_id}, by service key ${ear.service_kid}` },
      { name: 'countersigned', value: ear.service_signature, code: true },
    ];
    writeFactBlock(flow, facts);
    flow.gap(3);
    if (eor.payload === undefined) {
      flow.paragraph('Payload withheld: bound by its hash, not seen.', flow.styles.smallBold, { after: 8 });
    } else {
      const withheld = withheldNames(eor.payload, disclosures);
      const note = `Members withheld, each as a salted digest: ${withheld.join(', ')}`;
      if (withheld.length > 0) flow.paragraph(note, flow.styles.smallBold, { after: 3 });
      flow.code(jsonLines(shownPayload(eor.payload, disclosures), this.#columns), 8);
    }
    flow.close();
  }

  /** A place in the bundle where an operation should be and cannot be read. */
  writeUnreadable(content: Extract<BundleContent, { kind: 'unreadable' | 'broken' }>): void {
    const what =
      content.kind === 'broken'
        ? `Line ${many(content.line)}: the bundle cannot be read from here on`
        : `Line ${many(content.line)}: ${content.member} is malformed`;
    this.#flow.paragraph(`${what}: ${sentence(content.message)}`, { ...this.#flow.styles.bold, colour: COLOURS.fail });
  }

  #accuse(ids: readonly number[]): void {
    const flow = this.#flow;
    const named = ids.slice(0, MAX_NAMED).join(', ');
    const rest = ids.length > MAX_NAMED ? ` and ${many(ids.length - MAX_NAMED)} more` : '';
    const style = { ...flow.styles.smallBold, colour: COLOURS.fail };
    const y = flow.y + lineHeight(style) / 2;
    flow.artifact((sheet) => drawMark(sheet, 'fail', flow.left + 5, y, 4));
    flow.paragraph(`See finding ${named}${rest}.`, style, { after: 1, indent: 14 });
  }
}

/** All operations, in the order of the bundle. */
export async function writeOperations(flow: Flow, subject: Subject): Promise<void> {
  flow.open('Sect');
  flow.heading(2, 'Operations', { bookmark: 'section', keep: 120 });
  flow.paragraph(
    subject.survey.records === 0
      ? 'The bundle holds no operation that could be read.'
      : subject.details
        ? 'Every operation as the bundle has it, in the order of the bundle. Payloads are shown whole; long lines are wrapped.'
        : `This report is a summary. The attached bundle holds all ${counted(subject.survey.records, 'operation')}; the ` +
          'first of these commands prints them all, the second only the records that you choose.',
  );
  if (!subject.details) {
    flow.code([
      `countersign report ${subject.attachedAs} --details -o FILE.pdf`,
      `countersign report ${subject.attachedAs} --records 3,17,20-24 -o FILE.pdf`,
    ]);
    flow.close();
    return;
  }
  const writer = new OperationsWriter(flow, subject.report);
  for await (const contents of readContents(subject.source)) {
    for (const content of contents) {
      if (content.kind === 'record') writer.write(content.value);
      else if (content.kind === 'unreadable' || content.kind === 'broken') writer.writeUnreadable(content);
      await flow.rest();
    }
  }
  flow.close();
}
