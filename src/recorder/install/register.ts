import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPair } from '../../agent/index.ts';
import { type AnswerOf, integrationOf, LIMITS } from '../../api/index.ts';
import { fromBase64Url, thumbprint } from '../../protocol/light.ts';
import type { RecorderHome } from '../base/home.ts';
import { type FeedId, kindOfFeed } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { furtherName } from './agent-name.ts';
import { asked, isRefusal, ServiceCalls } from './service-calls.ts';

/** An agent that this machine can sign for, and what the recorder submits with. */
export interface EnrolledAgent {
  readonly orgId: string;
  readonly agentId: string;
  readonly kid: string;
  /** The 32-byte seed in base64url. */
  readonly privateKey: string;
  /** Where its chain ends; null for one without records. */
  readonly head: string | null;
  /** Submits for this agent and can do nothing else. */
  readonly token: string;
  /** When that token ends, in milliseconds since the Unix epoch: with the API token that it came from; null for never. */
  readonly tokenEndsAt: number | null;
}

const MAX_NAMES = 99;

/**
 * Registers an agent with a key made here, and has a token issued that can only submit for it. Where the name is taken by an agent
 * whose receipts lie here, that agent gets the new key and its chain continues, unless the token may only register; any other is
 * somebody else's, such as a machine of the same name, and the next name is tried.
 * @throws RecordError SERVICE_REFUSED, also for an agent of this machine that is frozen
 */
export async function enrolAgent(
  calls: ServiceCalls,
  home: RecorderHome,
  feed: FeedId,
  { name, displayName }: { readonly name: string; readonly displayName: string },
): Promise<EnrolledAgent> {
  const pair = generateKeyPair();
  const kid = thumbprint(fromBase64Url(pair.publicKey, 32));
  const keys = [{ kid, public_key: pair.publicKey, algorithm: 'ed25519' }];
  for (let number = 1; number <= MAX_NAMES; number++) {
    const agentId = furtherName(name, number);
    const token_name = `recorder of ${agentId}`.slice(0, LIMITS.tokenName);
    const body = {
      agent_id: agentId,
      display_name: displayName,
      integration_type: integrationOf(kindOfFeed(feed)),
      keys,
      token_name,
    };
    const enrolled =
      (await enrol(calls, body)) ??
      (isOfThisMachine(home, agentId) ? await enrol(calls, { ...body, again: true }) : null);
    if (enrolled === null) continue;
    const { token, expires_at } = enrolled.token;
    const head = await headOf(new ServiceCalls(calls.url, token), agentId);
    const { org_id: orgId } = enrolled.agent;
    const tokenEndsAt = expires_at === null ? null : expires_at * 1000;
    return { orgId, agentId, kid, privateKey: pair.privateKey, head, token, tokenEndsAt };
  }
  throw new RecordError('SERVICE_REFUSED', `the names from ${name} to ${furtherName(name, MAX_NAMES)} are all taken`);
}

type Enrolment = { readonly agent_id: string; readonly again?: true };

/** @returns null where the name is another agent's, one that was deleted, or one that this token must not take over */
function enrol(calls: ServiceCalls, body: Enrolment): Promise<AnswerOf<'enrolAgent'> | null> {
  return asked(`the agent ${body.agent_id} could not be registered`, async () => {
    try {
      return await calls.call('enrolAgent', { body });
    } catch (error) {
      const isTaken = body.again !== true && isRefusal(error, 'CONFLICT');
      const isNotOurs = body.again === true && (isRefusal(error, 'NOT_FOUND') || isRefusal(error, 'FORBIDDEN'));
      if (isTaken || isNotOurs) return null;
      throw error;
    }
  });
}

async function headOf(calls: ServiceCalls, agentId: string): Promise<string | null> {
  return asked(`the agent ${agentId} could not be looked at`, async () => {
    const { chain_hash: head } = await calls.call('agentHead', { params: { agent_id: agentId } });
    return head;
  });
}

function isOfThisMachine(home: RecorderHome, agentId: string): boolean {
  return existsSync(join(home.receipts, `${agentId}.jsonl`));
}
