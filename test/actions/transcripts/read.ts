import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  readTranscript,
  type TranscriptCall,
  type TranscriptItem,
  type TranscriptLine,
  type TranscriptProgramId,
} from '../../../src/actions/transcripts/index.ts';
import { canonicalize, withTexts } from '../../../src/protocol/index.ts';

const FIXTURES = new URL('../../fixtures/transcripts/', import.meta.url).pathname;

/** Transcripts that the real program wrote, by a pattern below the folder of the program; the first in the order of their names. */
export function fixture(program: string, pattern: string): { readonly path: string; readonly lines: TranscriptLine[] } {
  const [path] = globSync(join(FIXTURES, program, pattern)).sort();
  if (path === undefined) throw new Error(`no fixture is ${program}/${pattern}`);
  return { path, lines: linesOf(readFileSync(path, 'utf8')) };
}

export function linesOf(text: string): TranscriptLine[] {
  return text.split('\n').map((line, index) => ({ line: index + 1, text: line }));
}

export async function itemsOf(
  program: TranscriptProgramId,
  lines: readonly TranscriptLine[],
  path = '',
): Promise<TranscriptItem[]> {
  async function* each(): AsyncGenerator<TranscriptLine> {
    yield* lines;
  }
  const items: TranscriptItem[] = [];
  for await (const item of readTranscript(program, each(), path)) items.push(item);
  return items;
}

export function callsIn(items: readonly TranscriptItem[]): TranscriptCall[] {
  return items.filter((item) => item.kind === 'call');
}

/** A call in a line: `Bash failed 2 {"command":"ls"}`, with what it is part of. */
export function callText({ tool, outcome, exit_code, input, sub_agent, within, typed_into }: TranscriptCall): string {
  const given = input === undefined ? '' : canonicalize(withTexts(input).value);
  return [
    tool,
    outcome,
    ...(exit_code === null ? [] : [exit_code]),
    given.length > 90 ? `${given.slice(0, 90)}…` : given,
    ...(sub_agent === null ? [] : ['in a sub-agent']),
    ...(within === null ? [] : [`within ${within}`]),
    ...(typed_into === null ? [] : [`typed into ${typed_into}`]),
  ].join(' ');
}
