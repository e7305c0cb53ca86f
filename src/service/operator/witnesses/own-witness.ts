import { join } from 'node:path';
import type { CosignAnswer, OwnWitness } from '../../../api/index.ts';
import { readerOptions } from '../../../node/reader/index.ts';
import { type WitnessAnswer, WitnessFolder, WitnessFolderError } from '../../../node/witness/index.ts';
import {
  canonicalBytes,
  equivocationProofBytes,
  formatDigest,
  ProtocolError,
  parseServiceKeys,
  type ServiceKey,
  sha256,
  utf8,
} from '../../../protocol/index.ts';
import { type Asker, ownerFor } from '../../cases/scope.ts';
import type { TrustKeeper } from '../../cases/trust/trust-keeper.ts';
import type { Handlers, Member } from '../../http/handler.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { SealBroken, type Sealer } from '../../ledger/keys/sealing.ts';
import { isHome, needHome } from '../../people/organizations/home.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';

interface OwnWitnessContext extends WriteAccess {
  readonly settings: Pick<Settings, 'dataDir'>;
  readonly sealer: Sealer;
  readonly trust: TrustKeeper;
}

type Signed = Asker & { readonly caller: Member };

/** Not among what a backup holds: a witness that is set back to an older copy cosigns two futures of one log. */
const folderIn = ({ settings }: OwnWitnessContext): string => join(settings.dataDir, 'witness');

/**
 * Asks the witness of this data folder; opened for each question, since the command may use the same folder.
 * @param name for a folder without a witness
 * @throws ServiceError CONFLICT where the folder cannot be used, or its keys were sealed by another key
 */
async function withFolder<T>(
  context: OwnWitnessContext,
  name: string | null,
  ask: (folder: WitnessFolder) => T | Promise<T>,
): Promise<T> {
  let folder: WitnessFolder;
  try {
    folder = WitnessFolder.open(folderIn(context), name, context.sealer);
  } catch (error) {
    if (error instanceof WitnessFolderError) throw new ServiceError('CONFLICT', error.message);
    if (!(error instanceof SealBroken)) throw error;
    throw new ServiceError('CONFLICT', 'the keys of the witness were sealed with another key than this service has');
  }
  try {
    return await ask(folder);
  } finally {
    folder.close();
  }
}

const viewOf = (folder: WitnessFolder): OwnWitness => ({
  name: folder.name,
  keys: folder.vkeys,
  logs: folder.logs(),
});

/** What this service is a witness of; null until it is one, and for a guest, whom the logs of others do not concern. */
async function ownWitness(context: OwnWitnessContext, { orgId }: Member): Promise<OwnWitness | null> {
  if (!isHome(context.store, orgId) || !WitnessFolder.isIn(folderIn(context))) return null;
  return withFolder(context, null, viewOf);
}

/** @throws ServiceError FORBIDDEN for a guest, CONFLICT where there is one already, QUOTA_EXCEEDED */
async function makeWitness(context: OwnWitnessContext, { orgId, userId }: Member, name: string): Promise<OwnWitness> {
  needHome(context.store, orgId);
  if (WitnessFolder.isIn(folderIn(context))) throw new ServiceError('CONFLICT', 'this service is a witness already');
  // A crash after the event leaves no witness, and one that is made later another event.
  await context.writer.transact((tx) => {
    const target = { targetType: 'witness', targetId: name, details: {} };
    recordAdminEvent(tx, { orgId, actor: userId, action: 'witness.make', ...target }, context.now());
  });
  return withFolder(context, name, viewOf);
}

/** @throws ServiceError VALIDATION_ERROR */
function serviceKeysIn(text: string | undefined): ServiceKey[] {
  if (text === undefined) return [];
  try {
    return parseServiceKeys(utf8(text));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new ServiceError('VALIDATION_ERROR', `service_keys: is not a file of service keys: ${error.message}`);
  }
}

/**
 * Cosigns a checkpoint, or refuses, by whose logs the trust store takes: this service's own keys count only where they stand there too.
 * @throws ServiceError FORBIDDEN for a guest, VALIDATION_ERROR, NOT_FOUND while there is no witness, CONFLICT
 */
async function cosign(
  context: OwnWitnessContext,
  asker: Signed,
  { request, service_keys: given }: { readonly request: string; readonly service_keys?: string | undefined },
): Promise<CosignAnswer> {
  const { orgId, userId } = asker.caller;
  needHome(context.store, orgId);
  if (!WitnessFolder.isIn(folderIn(context))) throw new ServiceError('NOT_FOUND', 'this service is no witness yet');
  const serviceKeys = serviceKeysIn(given);
  const { trustedKids } = readerOptions(await context.trust.trustOf(ownerFor(asker), []));
  // As somebody pastes it.
  const bytes = utf8(`${request.replaceAll('\r\n', '\n').trim()}\n`);
  const { name, answer } = await withFolder(context, null, async (folder) => ({
    name: folder.name,
    answer: await folder.answer(bytes, { trustedKids, serviceKeys, now: context.now }),
  }));
  // What was cosigned is on the disk by now: a crash in between leaves it without its event, and the next request is told its size.
  await context.writer.transact((tx) => {
    const target = { targetType: 'witness', targetId: name, ...actOf(answer, bytes) };
    recordAdminEvent(tx, { orgId, actor: userId, ...target }, context.now());
  });
  if (answer.status === 200) {
    const { origin, size } = answer.checkpoint;
    return { cosigned: { origin, size, answer: answer.lines }, refused: null };
  }
  const { status, message, contradiction } = answer;
  const proof = contradiction && new TextDecoder().decode(equivocationProofBytes(contradiction));
  return { cosigned: null, refused: { status, message, proof } };
}

/** What the log of events says of an answer; of a refusal, which may be of bytes that are no request, by what was asked. */
function actOf(answer: WitnessAnswer, request: Uint8Array) {
  if (answer.status === 200) {
    const { origin, size } = answer.checkpoint;
    return { action: 'witness.cosign' as const, details: { origin, size } };
  }
  const { status, contradiction } = answer;
  const proof = contradiction && formatDigest(sha256(canonicalBytes(contradiction)));
  return { action: 'witness.refuse' as const, details: { status, request: formatDigest(sha256(request)), proof } };
}

export function ownWitnessRoutes(context: OwnWitnessContext) {
  const told = (caller: Member, witness: OwnWitness | null) => ({
    body: { witness, administered_here: isHome(context.store, caller.orgId) },
  });
  return {
    ownWitness: async ({ caller }) => told(caller, await ownWitness(context, caller)),
    makeWitness: async ({ caller, body }) => told(caller, await makeWitness(context, caller, body.name)),
    cosign: async (call) => ({ body: await cosign(context, call, call.body) }),
  } satisfies Partial<Handlers>;
}
