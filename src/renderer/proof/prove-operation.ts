import { type Epoch, ProtocolError } from '../../protocol/index.ts';
import type { AgentDetails, ServiceKeys, StoredOperation } from '../api/answers.ts';
import { epochSignatureStep, inclusionStep } from './epoch-steps.ts';
import { receiptSignatureStep, receiptStep } from './receipt-steps.ts';
import {
  chainHashStep,
  type Neighbour,
  nextStep,
  payloadStep,
  previousStep,
  signatureStep,
  timeStep,
} from './record-steps.ts';
import type { Step } from './step.ts';
import { PROVE_OPERATION, RULES } from './texts.ts';

/** Everything that a record is verified from. */
export interface Evidence {
  readonly operation: StoredOperation;
  /** The agent's keys; null where the agent is deleted. */
  readonly keys: AgentDetails['keys'] | null;
  readonly serviceKeys: ServiceKeys | undefined;
  readonly previous: Neighbour;
  readonly next: Neighbour;
  readonly epoch: Epoch | null;
  /** Whether this is all of an imported file, which may leave out what came before, after and between. */
  readonly isExcerpt: boolean;
}

/** What cannot even be decoded fails its step, and not the page. */
function attempt(id: string, title: string, step: () => Step): Step {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof ProtocolError) && !(error instanceof RangeError)) throw error;
    return {
      id,
      title,
      rule: RULES.json,
      outcome: 'fail',
      sentence: PROVE_OPERATION.undecodable(error.message),
      operands: [],
    };
  }
}

/** Verifies a record from its bytes, in this window, step by step. */
export function proveOperation(evidence: Evidence): readonly Step[] {
  const { operation, keys, serviceKeys, previous, next, epoch, isExcerpt } = evidence;
  return [
    attempt('payload', PROVE_OPERATION.payloadHash, () => payloadStep(operation)),
    attempt('signature', PROVE_OPERATION.agentSignature, () => signatureStep(operation, keys)),
    attempt('time', PROVE_OPERATION.inTime, () => timeStep(operation)),
    attempt('chain-hash', PROVE_OPERATION.chainHash, () => chainHashStep(operation)),
    attempt('previous', PROVE_OPERATION.linkToPrevious, () => previousStep(operation, previous, isExcerpt)),
    attempt('next', PROVE_OPERATION.linkFromNext, () => nextStep(operation, next, isExcerpt)),
    attempt('receipt', PROVE_OPERATION.receipt, () => receiptStep(operation)),
    attempt('countersignature', PROVE_OPERATION.countersignature, () => receiptSignatureStep(operation, serviceKeys)),
    attempt('inclusion', PROVE_OPERATION.inclusion, () => inclusionStep(operation, epoch, isExcerpt)),
    attempt('epoch', PROVE_OPERATION.epochSignature, () =>
      epochSignatureStep(epoch, operation.epoch !== null, serviceKeys, isExcerpt),
    ),
  ];
}
