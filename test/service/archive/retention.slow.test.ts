// docs/decisions/0108-retention-of-the-archive.md over an archive in a folder.
import { folderPlace } from '../../support/archive-places.ts';
import { retentionCases } from '../../support/archive-retention.ts';

retentionCases(folderPlace);
