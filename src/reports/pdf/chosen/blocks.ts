import type { Block, Fact, Section } from '../../chosen/index.ts';
import { writeFactBlock } from '../layout/fact-block.ts';
import type { Flow } from '../layout/flow.ts';
import { breakLines, type Line } from '../layout/lines.ts';
import { type Column, TableWriter } from '../layout/table.ts';
import { COLOURS } from '../layout/theme.ts';
import { writeFacts } from '../sections/facts.ts';
import { digestInGroups } from '../text/groups.ts';

/** A digest is compared by eye: in groups. */
const shown = ({ value, code = false }: Fact): string => (code ? digestInGroups(value) : value);

/** What somebody wrote in a report, as it was written, set apart from what is evidence. @param label whose words they are */
function writeWords(flow: Flow, text: string, label: string): void {
  const { body, bold } = flow.styles;
  const element = flow.element('Note');
  const width = flow.width - 16;
  const lines: Line[] = [
    ...breakLines(label, bold, width),
    ...text.split('\n').flatMap((line) => breakLines(line === '' ? ' ' : line, body, width)),
  ];
  flow.lines(element, 'Note', lines, { band: COLOURS.band });
  element.end();
  flow.gap(5);
}

function writeTable(flow: Flow, { heads, rows }: Extract<Block, { kind: 'table' }>): void {
  const columns = heads.map(
    ({ text, share, isNumber = false }, at): Column => ({
      title: text,
      share,
      ...(isNumber ? { align: 'right' } : {}),
      ...(at === 0 ? { heads: true } : {}),
    }),
  );
  const table = new TableWriter(flow, columns);
  for (const row of rows) table.row(row);
  table.end();
}

/** Facts close together, for what comes many times. */
export function writeDenseFacts(flow: Flow, facts: readonly Fact[]): void {
  writeFactBlock(
    flow,
    facts.map((fact) => ({ ...fact, value: shown(fact) })),
  );
}

/** @param isDense whether facts stand close together, or in a table */
export function writeBlocks(flow: Flow, blocks: readonly Block[], { isDense = false } = {}): void {
  for (const block of blocks) {
    if (block.kind === 'heading') flow.heading(3, block.text);
    else if (block.kind === 'paragraph') flow.paragraph(block.text);
    else if (block.kind === 'list') flow.list(block.items);
    else if (block.kind === 'commands') flow.code(block.commands);
    else if (block.kind === 'table') writeTable(flow, block);
    else if (block.kind === 'words') writeWords(flow, block.text, block.label);
    else if (isDense) writeDenseFacts(flow, block.facts);
    else {
      const { mono } = flow.styles;
      writeFacts(
        flow,
        block.facts.map((fact) => [fact.name, fact.code ? { text: shown(fact), style: mono } : fact.value]),
      );
    }
  }
}

/** A section of the first page. */
export function writeSection(flow: Flow, { title, blocks }: Section): void {
  flow.heading(2, title);
  writeBlocks(flow, blocks);
}
