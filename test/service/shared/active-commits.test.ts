// docs/shared-log.md, What it rests on: with a folder as the log.
import { join } from 'node:path';
import { FolderLog } from '../../../src/service/shared/folder-log.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { logCases } from '../../support/log-cases.ts';

logCases(() => FolderLog.open(join(temporaryFolder(), 'log')));
