// docs/decisions/0095-archive.md: what is checked at acceptance, over an archive in a folder.
import { acceptanceCases } from '../../support/archive-acceptance.ts';
import { folderPlace } from '../../support/archive-places.ts';

acceptanceCases(folderPlace);
