import { PostgresPair } from '../../src/cli/shared/postgres-pair.ts';
import { atEnd } from './cleanup.ts';

/** A real PostgreSQL until the end of the test file: a primary, and a standby that every commit waits for. */
export async function postgresPair(): Promise<PostgresPair> {
  const pair = await PostgresPair.start();
  atEnd(() => pair.close());
  return pair;
}
