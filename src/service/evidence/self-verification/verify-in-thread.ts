import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestStopped, runJobThread, workerUrl } from '../../../node/index.ts';
import type { VerificationReport } from '../../../protocol/index.ts';
import { messageOf } from '../../../protocol/light.ts';
import { StartError } from '../../store/base/service-error.ts';
import type { LedgerProgress, VerificationRefusal, VerificationTask } from './thread-messages.ts';

/** A verification that ended without a report, through no fault of the ledger's. */
export class VerificationFailed extends Error {
  override readonly name = 'VerificationFailed';
}

export interface ThreadOptions {
  readonly onProgress: (progress: LedgerProgress) => void;
  /** Has the thread end as soon as it can; the promise then fails with the signal's reason. */
  readonly signal: AbortSignal;
}

/** A verifier's garbage is short-lived: without a limit the young generation would take 128 MB of it. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 };

/**
 * Verifies stored ledgers on its own thread, which takes further threads for the signatures: whoever calls stays free
 * to serve.
 * @returns a report for each organization
 * @throws StartError where the file cannot be verified, VerificationFailed where the thread failed
 */
export async function verifyInThread(
  given: Omit<VerificationTask, 'scratch'>,
  { onProgress, signal }: ThreadOptions,
): Promise<VerificationReport[]> {
  const scratch = join(tmpdir(), `countersign-verify-${randomUUID()}`);
  const told = (progress: LedgerProgress): void => {
    if (!signal.aborted) onProgress(progress);
  };
  try {
    return await runJobThread<VerificationTask, VerificationReport[], LedgerProgress, VerificationRefusal>(
      { ...given, scratch },
      {
        url: workerUrl(import.meta.url, 'ledger-worker'),
        resourceLimits: RESOURCE_LIMITS,
        refused: ({ code, message }) => new StartError(code, message),
        signal,
        onProgress: told,
      },
    );
  } catch (error) {
    if (error instanceof RequestStopped) throw signal.reason;
    if (error instanceof StartError) throw error;
    throw new VerificationFailed(messageOf(error), { cause: error });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
