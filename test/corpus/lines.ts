import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { type JsonObject, readContents, shownPayload } from '../../src/protocol/index.ts';

/** A record of the corpus, as the program that computes the answers reads it: one JSON object a line. */
export interface CorpusLine {
  readonly agent: string;
  readonly type: string;
  readonly subject: string;
  readonly action: string;
  readonly issued: string;
  readonly payload: JsonObject;
}

/** What is drawn at random, or is of the machine: identifiers, salts and digests over them; whose account the recorder runs under. */
const DRAWN = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const LEFT_OUT = new Set(['salt', 'digest', 'input_digest', 'presented_digest', 'raw_digest']);

/** The records of a bundle in the order of their times, with identifiers that are the same at every run. */
export async function corpusLines(bundle: Uint8Array): Promise<CorpusLine[]> {
  const lines: CorpusLine[] = [];
  const chains = new Map<string, number>();
  const places: [number, CorpusLine][] = [];
  for await (const contents of readContents(() => [bundle])) {
    for (const content of contents) {
      if (content.kind !== 'record') continue;
      const { eor, disclosures } = content.value;
      const place = (chains.get(eor.agent_id) ?? 0) + 1;
      chains.set(eor.agent_id, place);
      const { agent_id: agent, operation_type: type, subject, action, issued_at: issued } = eor;
      const payload = shownPayload(eor.payload ?? {}, disclosures);
      places.push([place, { agent, type, subject, action, issued, payload }]);
    }
  }
  places.sort(([a, one], [b, other]) => compare(one.issued, other.issued) || compare(one.agent, other.agent) || a - b);
  lines.push(...places.map(([, line]) => line));
  const names = new Map<string, string>();
  const { username } = userInfo();
  const text = JSON.stringify(lines, (key, value: unknown) =>
    LEFT_OUT.has(key) || (key === 'on_behalf_of' && value === username) ? undefined : value,
  );
  const named = text.replace(DRAWN, (id) => {
    const name = names.get(id) ?? `00000000-0000-4000-8000-${String(names.size + 1).padStart(12, '0')}`;
    names.set(id, name);
    return name;
  });
  return JSON.parse(named) as CorpusLine[];
}

/** Where the lines are kept that answers.py reads. */
export const KEPT_LINES = fileURLToPath(new URL('corpus.jsonl.gz', import.meta.url));

export function keptLines(): CorpusLine[] {
  const lines = gunzipSync(readFileSync(KEPT_LINES)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as CorpusLine);
}

/** Keeps others, after the story or what becomes of it has changed. */
export function keepLines(lines: readonly CorpusLine[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(KEPT_LINES, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
