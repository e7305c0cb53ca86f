import { describe, expect, it } from 'vitest';
import { Room } from '../../../src/recorder/listen/room.ts';

interface Task {
  readonly name: string;
  readonly over: Promise<string>;
  end(error?: Error): void;
}

/** Tasks of these weights in a room for ten, and which of them have begun. */
function tasks(weights: Readonly<Record<string, number>>): { all: Task[]; begun: string[] } {
  const room = new Room(10);
  const begun: string[] = [];
  const all = Object.entries(weights).map(([name, weight]): Task => {
    const gate = Promise.withResolvers<string>();
    const over = room.with(weight, () => {
      begun.push(name);
      return gate.promise;
    });
    over.catch(() => undefined);
    return { name, over, end: (error) => (error === undefined ? gate.resolve(name) : gate.reject(error)) };
  });
  return { all, begun };
}

describe('a room', () => {
  it('lets in what fits, and the rest in the order in which it came, even where a later one would fit', async () => {
    const { all, begun } = tasks({ a: 6, b: 4, c: 7, d: 1 });
    expect(begun).toEqual(['a', 'b']);
    all[1]?.end();
    await all[1]?.over;
    expect(begun).toEqual(['a', 'b']);
    all[0]?.end();
    await all[0]?.over;
    await Promise.resolve();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets what is heavier than the whole room in alone', async () => {
    const { all, begun } = tasks({ a: 1, b: 25, c: 1 });
    expect(begun).toEqual(['a']);
    all[0]?.end();
    await all[0]?.over;
    await Promise.resolve();
    expect(begun).toEqual(['a', 'b']);
    all[1]?.end();
    expect(await all[1]?.over).toBe('b');
    await Promise.resolve();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('gives the room of a task that failed to the next', async () => {
    const { all, begun } = tasks({ a: 10, b: 10 });
    all[0]?.end(new Error('it failed'));
    await expect(all[0]?.over).rejects.toThrow('it failed');
    await Promise.resolve();
    expect(begun).toEqual(['a', 'b']);
  });
});
