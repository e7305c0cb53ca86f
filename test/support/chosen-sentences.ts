import { expect } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { type ChosenReport, judgeChosenReport, proofOf } from '../../src/protocol/index.ts';
import {
  aboutSection,
  askedSection,
  type Block,
  provesSection,
  RECORDS_SECTION,
  recordContent,
  type Section,
  sumsSection,
  viewRecords,
} from '../../src/reports/chosen/index.ts';

function saidIn(block: Block): readonly string[] {
  if (block.kind === 'list') return block.items;
  if (block.kind === 'commands') return block.commands;
  if (block.kind === 'table') return [...block.heads.map(({ text }) => text), ...block.rows.flat()];
  if (block.kind === 'facts') return block.facts.map(({ name, value }) => `${name} ${value}`);
  return block.kind === 'words' ? [block.label, block.text] : [block.text];
}

const saidInSection = ({ title, blocks }: Section): string[] => [title, ...blocks.flatMap(saidIn)];

/**
 * Every sentence that a report of chosen records says, in its order, whatever it is written as.
 * @param file how its commands call the file
 */
export async function chosenSentences(report: ChosenReport, file: string): Promise<readonly string[]> {
  const judgement = await judgeChosenReport(report, { crypto: nodeCrypto, trustedKids: report.trusted_keys });
  const proof = proofOf(report) ?? expect.fail('the proof cannot be read');
  const { signature } = judgement.report;
  const asked = askedSection(report, signature);
  const sums = sumsSection(report, signature);
  return [
    ...(asked === null ? [] : saidInSection(asked)),
    ...saidInSection(aboutSection(report, judgement, proof)),
    ...(sums === null ? [] : saidInSection(sums)),
    ...saidInSection(RECORDS_SECTION),
    ...viewRecords(report, proof).flatMap((view) => {
      const { number, summary, blocks } = recordContent(view, signature);
      return [`${number} ${summary}`, ...blocks.flatMap(saidIn)];
    }),
    ...saidInSection(provesSection(judgement, file)),
  ];
}

/** Expects sentences in a text, one behind the other. Where lines break is the matter of the page. */
export function expectInOrder(text: string, sentences: readonly string[]): void {
  const bare = text.replace(/\s+/g, '');
  let from = 0;
  for (const sentence of sentences) {
    const at = bare.indexOf(sentence.replace(/\s+/g, ''), from);
    expect(at, `${sentence} stands behind what is said before it`).toBeGreaterThanOrEqual(from);
    from = at + 1;
  }
}
