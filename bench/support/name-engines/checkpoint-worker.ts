import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/* The thread that checkpoints the databases of an engine that does not have a thread for it. */
const databases = (workerData as string[]).map((path) => {
  const database = new Database(path, { fileMustExist: true });
  database.pragma('synchronous = FULL');
  return database;
});

parentPort?.on('message', (message: 'checkpoint' | 'close') => {
  if (message === 'checkpoint') {
    for (const database of databases) database.pragma('wal_checkpoint(PASSIVE)');
    parentPort?.postMessage('done');
  } else {
    for (const database of databases) database.close();
    parentPort?.close();
  }
});
