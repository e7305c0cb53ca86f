/** The forty questions of docs/investigating.md, as test/corpus/questions.json has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../support/paths.ts';
import { table } from './markdown.ts';

const questions = z.array(
  z.object({
    number: z.int(),
    question: z.string(),
    screen: z.string(),
    query: z.string(),
    // biome-ignore lint/suspicious/noThenProperty: a text, and nothing that anybody awaits
    then: z.string(),
  }),
);

/** A text as a cell of a table has it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

export function questionsTable(): string {
  const text = readFileSync(join(ROOT, 'test', 'corpus', 'questions.json'), 'utf8');
  const rows = questions.parse(JSON.parse(text)).map(({ number, question, screen, query, then }) => {
    const asked = query === '' ? '' : ` \`${query}\``;
    return [String(number), question, `${screen}${asked}, ${then}`].map(cell);
  });
  return table(['', 'Question', 'How'], rows);
}
