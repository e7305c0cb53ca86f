import { CUSTODY_DAMAGE_CODES, type CustodyDamage } from '../../../api/index.ts';
import type { CaseFileFinding } from '../../../reports/case-file/index.ts';
import { MAX_DAMAGE } from '../custody/check-custody.ts';
import { checkLog, type OpenMeans } from './check-log.ts';
import type { DraftedCase } from './write-case-file.ts';

function damageOf({ code, entry_no, item_no, message }: CaseFileFinding): CustodyDamage {
  const known = CUSTODY_DAMAGE_CODES.find((one) => one === code);
  if (known === undefined || entry_no === undefined) throw new Error(`a case file was drafted wrongly: ${message}`);
  return { entry_no, code: known, ...(item_no === undefined ? {} : { item_no }) };
}

/**
 * What whoever opens a drafted case file will find about its log, items and notes. The parts are checked as they were written, not
 * what is remembered of the open case: bytes that somebody changed past SQLite are found here.
 * @throws CaseFileRefused where the file would have a line that no reader takes
 */
export async function damageIn({ manifest, paths }: DraftedCase, means: OpenMeans): Promise<CustodyDamage[]> {
  const pathOf = (name: string): string => {
    const path = paths.get(name);
    if (path === undefined) throw new Error(`${name} is nowhere`);
    return path;
  };
  const { findings } = await checkLog(manifest, pathOf, means);
  return findings.slice(0, MAX_DAMAGE).map(damageOf);
}
