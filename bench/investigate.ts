import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareRules } from '../src/facts/index.ts';
import { foldedWords, textOfValue } from '../src/query/index.ts';
import { readRecord } from '../src/service/content-index/record-content.ts';
import type { ContentEngine, Sought } from './support/content-engines/engine.ts';
import { Fts5Engine } from './support/content-engines/fts5-engine.ts';
import { MadeRecords, vocabularyWord } from './support/content-engines/records.ts';
import { SegmentsEngine } from './support/content-engines/segments-engine.ts';
import { durations } from './support/figures.ts';

/**
 * What could find records by their words: the content index, and SQLite's FTS5, over the same records and the same words.
 *
 *     npm run bench:investigate -- [--records N] [--bytes N] [--engines segments,fts5]
 *
 * Times are in milliseconds of the processor (of `columns`, `facets`, `chart`, `part` and `session` of the clock), and of building also in units of reading the same records into words, measured in the same run.
 * Prints JSON.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    bytes: { type: 'string', default: '2048' },
    engines: { type: 'string', default: 'segments,fts5' },
  },
});
const count = Number(values.records);
const bytes = Number(values.bytes);

/** Milliseconds of the processor, which other programs on the machine change less than those of the clock. */
function timed(act: () => void): number {
  const began = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

function readingMs(records: MadeRecords): number {
  const rules = prepareRules(records.rules());
  return timed(() => {
    for (let n = 1; n <= count; n++) {
      for (const { value } of readRecord(records.record(n), rules).read.leaves) foldedWords(textOfValue(value));
    }
  });
}

/** Words of several frequencies, phrases of two of them, and words of one member. */
function questions(): Record<string, Sought[]> {
  const ranks = Array.from({ length: 60 }, (_, i) => Math.floor(1.2 ** i));
  const word = ranks.map((rank) => ({ words: [vocabularyWord(rank % 60_000)], path: null }));
  const phrase = ranks
    .slice(0, 20)
    .map((rank, i) => ({ words: [vocabularyWord(rank), vocabularyWord(i)], path: null }));
  const member = word.map(({ words }, i) => ({ words, path: i % 2 === 0 ? ['result'] : ['request'] }));
  const path = ['arguments', 'user_id'];
  const value = ranks.map((_, i) => ({ words: ['user', '_', String(i * 7)], path }));
  return { word, phrase, member, value };
}

function measure(name: string): object {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const records = new MadeRecords(count, bytes);
  const engine: ContentEngine = name === 'fts5' ? new Fts5Engine(folder, records) : new SegmentsEngine(folder, records);
  try {
    const reading = readingMs(records);
    const building = timed(() => engine.build());
    const size = engine.files().reduce((sum, path) => sum + statSync(path).size, 0);
    const asked = questions();
    const found = Object.fromEntries(
      Object.entries(asked).map(([kind, list]) => {
        const hits = list.map((sought) => engine.find(sought));
        const times = list.map((sought) => timed(() => engine.find(sought)));
        return [kind, { ...durations(times), hits: hits.reduce((sum, n) => sum + n, 0) }];
      }),
    );
    const further = Object.entries(engine.further?.() ?? {}).map(([kind, times]) => [kind, durations(times)] as const);
    const erased = [11, Math.floor(count / 2), count - 3].map((n) => timed(() => engine.erase(n)));
    return {
      name,
      buildMs: Math.round(building),
      buildPerReading: Number((building / reading).toFixed(2)),
      bytesPerPayloadByte: Number((size / (count * bytes)).toFixed(3)),
      ...found,
      ...Object.fromEntries(further),
      erasure: durations(erased),
      residentMb: Math.round(process.memoryUsage().rss / 1e6),
    };
  } finally {
    engine.close();
    rmSync(folder, { recursive: true });
  }
}

console.log(JSON.stringify({ records: count, bytes, engines: values.engines.split(',').map(measure) }, null, 2));
