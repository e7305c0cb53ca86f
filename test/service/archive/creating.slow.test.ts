// docs/decisions/0095-archive.md: what is created once, over an archive in a folder.
import { creatingCases } from '../../support/archive-creating.ts';
import { folderPlace } from '../../support/archive-places.ts';

creatingCases(folderPlace);
