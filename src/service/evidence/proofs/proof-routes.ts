import { utf8 } from '../../../protocol/index.ts';
import { fileNameOf } from '../../http/file-names.ts';
import type { Handlers } from '../../http/handler.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import type { OperationIndex } from '../../ledger/operation-index/operation-index.ts';
import type { Store } from '../../store/open.ts';
import { tlogProofOf } from './operation-proof.ts';

interface ProofDeps {
  readonly store: Store;
  readonly index: OperationIndex;
  /** Signs checkpoints. */
  readonly key: KeyHolder;
}

export function proofRoutes(deps: ProofDeps) {
  return {
    operationTlogProof: async ({ caller, param, query }) => {
      const wanted = { operationId: param('operation_id'), size: query.size };
      const { seqNo, text } = await tlogProofOf(deps, deps.key, caller.orgId, wanted);
      return {
        content: utf8(text),
        fileName: fileNameOf(['record', String(seqNo)], '.tlog-proof'),
        contentType: 'text/plain; charset=utf-8',
      };
    },
  } satisfies Partial<Handlers>;
}
