// docs/decisions/0095-archive.md: a shipping that is killed at every step leaves what the next one continues from: no run is lost, none is there
// twice, and nobody takes a part of one for a run.
import { killedCases } from '../support/archive-killed.ts';
import { folderPlace } from '../support/archive-places.ts';

killedCases(folderPlace, [
  ['behind the last byte', 'written', false],
  ['behind link(2)', 'named', true],
  ['once the name is durable', 'synced', true],
  ['once the temporary name is gone', 'removed', true],
]);
