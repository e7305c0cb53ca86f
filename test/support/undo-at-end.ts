// Vitest runs this before every test file: files that share their modules would otherwise have the hook of the first alone,
// and leave their services and folders to the end of the process.
import { afterAll } from 'vitest';
import { undoAll } from './cleanup.ts';

afterAll(undoAll, 60_000);
