import { z } from 'zod';

/** What examiners do with a case. */
export const custodyAction = z.enum([
  'annotation.set',
  'annotation.remove',
  'look.mark',
  'case.rename',
  'case.verify',
  'report.make',
  'rules.change',
  'search.save',
  'search.delete',
  'files.collect',
  'item.add',
  'item.remove',
  'item.save',
  'items.compare',
  'certificate.make',
  'case.save',
  'case.open',
]);
export type CustodyAction = z.infer<typeof custodyAction>;
