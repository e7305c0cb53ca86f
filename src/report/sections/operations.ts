import { type BundleContent, type BundleRecord, type Finding, readContents } from '../../protocol/index.ts';
import { CODE_PADDING, type Flow, lineHeight } from '../layout/flow.ts';
import { breakLines, type Line, widthOf } from '../layout/lines.ts';
import { drawMark } from '../layout/marks.ts';
import { COLOURS } from '../layout/theme.ts';
import type { Subject } from '../subject.ts';
import { digestInGroups } from '../text/groups.ts';
import { jsonLines } from '../text/json-lines.ts';
import { counted, many, sentence } from '../wording.ts';

/** A bookmark for every so many operations. */
const PER_BOOKMARK = 100;

/** How many findings are named beside an operation; all of them stand under Findings. */
const MAX_NAMED = 12;

/** Where the values of an operation begin, in points from the left. */
const VALUES = 74;

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
  readonly #columns: number;
  #written = 0;

  constructor(flow: Flow, findings: readonly Finding[]) {
    this.#flow = flow;
    this.#findings = findingsBySeqNo(findings);
    const { mono } = flow.styles;
    this.#columns = Math.floor(((flow.width - CODE_PADDING) * 1000) / mono.size / widthOf(mono.typeset.set('0'), 1000));
  }

  write({ eor, ear, inclusion }: BundleRecord): void {
    const flow = this.#flow;
    const ids = this.#findings.get(ear.seq_no) ?? [];
    flow.open('Sect');
    const bookmark = this.#written++ % PER_BOOKMARK === 0 ? ({ bookmark: 'part' } as const) : {};
    flow.heading(3, `No. ${many(ear.seq_no)}   ${eor.operation_type}   ${eor.action}`, { ...bookmark, keep: 96 });
    if (ids.length > 0) this.#accuse(ids);
    const { small, mono } = flow.styles;
    const before = eor.prev_chain_hash === null ? 'none: first of its agent' : digestInGroups(eor.prev_chain_hash);
    const facts: [string, string, boolean?][] = [
      ['subject', eor.subject],
      ['agent', `${eor.agent_id}, key ${eor.agent_pubkey_kid}`],
      ['issued', `${eor.issued_at}, valid for ${many(eor.ttl_ms)} ms; received ${ear.server_received_at}`],
      ['operation', `${eor.operation_id}, nonce ${eor.nonce}`],
      ['payload hash', digestInGroups(eor.payload_hash), true],
      ['chain before', before, true],
      ['chain hash', digestInGroups(ear.chain_hash), true],
      ['signature', eor.signature, true],
      ['receipt', `${ear.receipt_id}, by service key ${ear.service_kid}`],
      ['countersigned', ear.service_signature, true],
    ];
    if (inclusion !== undefined) {
      const { path, leaf_index, epoch_id } = inclusion;
      facts.push([
        'inclusion',
        `leaf ${many(leaf_index)} of epoch ${epoch_id}, path of ${counted(path.length, 'hash').replace('hashs', 'hashes')}`,
      ]);
    }
    const width = flow.width - VALUES;
    const rows = facts.flatMap(([name, value, code]) =>
      breakLines(value, code ? mono : small, width).map((line, index) => ({ name: index === 0 ? name : '', line })),
    );
    this.#writeFacts(rows);
    flow.gap(3);
    if (eor.payload === undefined) {
      flow.paragraph('Payload withheld: bound by its hash, not seen.', flow.styles.smallBold, { after: 8 });
    } else {
      flow.code(jsonLines(eor.payload, this.#columns), 8);
    }
    flow.close();
  }

  /** A place in the bundle where an operation should be and cannot be read. */
  writeUnreadable(content: Extract<BundleContent, { kind: 'unreadable' | 'broken' }>): void {
    const what =
      content.kind === 'broken'
        ? `Line ${many(content.line)}: the bundle cannot be read from here on`
        : `Line ${many(content.line)}: ${content.member} is not as it should be`;
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

  /** Names and values side by side, a paragraph on each page they reach. */
  #writeFacts(rows: readonly { readonly name: string; readonly line: Line }[]): void {
    const flow = this.#flow;
    const { small, muted } = flow.styles;
    const height = lineHeight(small);
    const element = flow.element('P');
    for (let from = 0; from < rows.length; ) {
      if (flow.y + height > flow.bottom) flow.newPage();
      const piece = rows.slice(from, from + Math.floor((flow.bottom - flow.y) / height));
      const top = flow.y;
      flow.mark(element, 'P', (sheet) => {
        piece.forEach(({ name, line }, index) => {
          const baseline = top + index * height + small.size * 1.04;
          for (const label of breakLines(name, muted, VALUES)) sheet.text(label, flow.left, baseline);
          sheet.text(line, flow.left + VALUES, baseline);
        });
      });
      flow.y = top + piece.length * height;
      from += piece.length;
    }
    element.end();
  }
}

/** All operations; comes up for air after every slice of the bundle, so that what was made can be written out. */
export async function writeOperations(flow: Flow, subject: Subject, breathe: () => Promise<void>): Promise<void> {
  flow.open('Sect');
  flow.heading(2, 'Operations', { bookmark: 'section', keep: 120 });
  flow.paragraph(
    subject.survey.records === 0
      ? 'The bundle holds no operation that could be read.'
      : 'Every operation as it stands in the bundle, in its order. Payloads are shown whole; long lines are wrapped.',
  );
  const writer = new OperationsWriter(flow, subject.report.findings);
  let pages = flow.pages;
  for await (const contents of readContents(subject.source)) {
    for (const content of contents) {
      if (content.kind === 'record') writer.write(content.value);
      else if (content.kind === 'unreadable' || content.kind === 'broken') writer.writeUnreadable(content);
      if (flow.pages - pages < 8) continue;
      pages = flow.pages;
      await breathe();
    }
  }
  flow.close();
}
