/** A thread that answers nothing: it is in a call of SQLite that does not end. */
import Database from 'better-sqlite3';
import { serveRequests } from '../../src/node/index.ts';

serveRequests<'block', never, 'begun'>((_, { tell }) => {
  tell('begun');
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  new Database(':memory:').prepare(endless).get();
  throw new Error('it ended');
});
