import { statSync } from 'node:fs';
import { foldedWords, prepareRules, textOfValue } from '../../../src/actions/index.ts';
import { readRecord } from '../../../src/service/search/content-index/record-content.ts';
import { durations } from '../figures.ts';
import type { ContentEngine, Sought } from './engine.ts';
import { Fts5Engine } from './fts5-engine.ts';
import { MadeRecords, type Shape, vocabularyWord } from './records.ts';
import { SegmentsEngine } from './segments-engine.ts';

/*
 * One engine in a process, for one task: the memory of those who search is told apart from what making the records takes.
 * Arguments: the engine, the task, the folder, how many records, of how many bytes, and of which shape. Prints JSON.
 */

export const TASKS = ['read', 'build', 'ask', 'erase'] as const;
export type Task = (typeof TASKS)[number];

const [name = '', task = '', folder = '', countText = '', bytesText = '', shapeText = ''] = process.argv.slice(2);
const count = Number(countText);
const bytes = Number(bytesText);
const shape: Shape = shapeText === 'calls' ? 'calls' : 'plain';

/** Milliseconds of the processor, which other programs on the machine change less than those of the clock. */
function timed(act: () => void): number {
  const began = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
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

function ask(engine: ContentEngine): object {
  const found = Object.entries(shape === 'calls' ? {} : questions()).map(([kind, list]) => {
    let hits = 0;
    const first = list.map((sought) =>
      timed(() => {
        hits += engine.find(sought);
      }),
    );
    const again = list.map((sought) => timed(() => engine.find(sought)));
    return [kind, { ...durations(again), firstMaxMs: durations(first).maxMs, hits }] as const;
  });
  const further = Object.entries(engine.further?.(shape) ?? {}).map(([kind, list]) => {
    const clock: number[] = [];
    const processor = list.map((ask) =>
      timed(() => {
        const began = performance.now();
        ask();
        clock.push(performance.now() - began);
      }),
    );
    return [kind, { ...durations(processor), clockMaxMs: durations(clock).maxMs }] as const;
  });
  const { maxRSS } = process.resourceUsage();
  const memory = { residentMb: Math.round(process.memoryUsage().rss / 1e6), peakMb: Math.round((maxRSS * 1024) / 1e6) };
  return { ...Object.fromEntries([...found, ...further]), ...memory };
}

function run(): object {
  const records = new MadeRecords(count, bytes, shape);
  if (task === 'read') {
    const rules = prepareRules(records.rules());
    const readMs = timed(() => {
      for (let n = 1; n <= count; n++) {
        for (const { value } of readRecord(records.record(n), rules).read.leaves) foldedWords(textOfValue(value));
      }
    });
    return { readMs };
  }
  const engine: ContentEngine = name === 'fts5' ? new Fts5Engine(folder, records) : new SegmentsEngine(folder, records);
  try {
    switch (task) {
      case 'build': {
        const buildMs = timed(() => engine.build());
        return { buildMs, bytes: engine.files().reduce((sum, path) => sum + statSync(path).size, 0) };
      }
      case 'ask':
        engine.open();
        return ask(engine);
      case 'erase':
        engine.open();
        return {
          erasure: durations([11, Math.floor(count / 2), count - 3].map((n) => timed(() => engine.erase(n)))),
        };
      default:
        throw new Error(`the tasks are ${TASKS.join(', ')}`);
    }
  } finally {
    engine.close();
  }
}

process.stdout.write(JSON.stringify(run()));
