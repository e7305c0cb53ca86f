import { CodedError } from '../../../protocol/index.ts';

/** Why nothing was collected, in a sentence for whoever asked for it. */
export class CollectRefused extends CodedError<'NOTHING_FOUND' | 'FILE_TOO_LARGE'> {
  override readonly name = 'CollectRefused';
}
