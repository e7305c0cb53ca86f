import { z } from 'zod';
import { type AddTimeStamp, LIMITS, type TimeStampRow } from '../../../api/index.ts';
import {
  checkpointOrigin,
  checkpointText,
  formatDigest,
  formatStampFile,
  formatTime,
  ProtocolError,
  parseTime,
  readStampFile,
  type StampFile,
  sha256,
  stampFileOf,
  utf8,
} from '../../../protocol/index.ts';
import { askedPage } from '../../http/cursor.ts';
import type { Handlers } from '../../http/handler.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { listEpochs } from '../../ledger/epochs/epoch-queries.ts';
import { checkpointOf } from '../../ledger/epochs/log-proofs.ts';
import {
  findStamps,
  type KeptStamps,
  keepStamps,
  listStamps,
  needOwnCheckpoint,
  newestTimed,
  stampView,
} from '../../ledger/epochs/time-stamps.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { WriteAccess } from '../../store/write-access.ts';

interface TimeContext extends WriteAccess {
  readonly key: KeyHolder;
}

interface Actor {
  readonly orgId: string;
  readonly userId: string;
}

/** Loaded only where somebody asks: it brings schemas of ASN.1. */
const stamping = () => import('../../../node/time-stamps/index.ts');

/** As many checkpoints, and stamps to renew, an answer is tried for: it does not say of which it is. */
const TRIED = 2000;

/** The file that an answer makes: over a stamp that is to be renewed, or over a checkpoint. @throws ServiceError VALIDATION_ERROR */
async function answered(
  { store, key }: TimeContext,
  orgId: string,
  request: Uint8Array,
  answer: Uint8Array,
): Promise<StampFile> {
  const { addToken, isRequestOver, stampedBytes } = await stamping();
  for (const { digest } of listStamps(store, orgId, null, TRIED)) {
    const file = readStampFile(utf8(findStamps(store, orgId, digest).file));
    if (isRequestOver(request, stampedBytes(file))) return addToken(file, request, answer);
  }
  for (const { last_seq_no: size, log_root: root } of listEpochs(store, orgId, null, TRIED)) {
    if (!isRequestOver(request, utf8(checkpointText({ origin: checkpointOrigin(orgId), size, root })))) continue;
    return addToken(stampFileOf(utf8(await checkpointOf(store, key, orgId, size))), request, answer);
  }
  throw new ServiceError('VALIDATION_ERROR', 'request: is over nothing that this log has: ask for a request again');
}

/** What is added. @throws ServiceError VALIDATION_ERROR where it does not hold */
async function stampsIn(
  context: TimeContext,
  orgId: string,
  { request = '', answer = '', file: text }: AddTimeStamp,
): Promise<{ readonly row: KeptStamps; readonly digests: readonly string[]; readonly madeNotBefore: number }> {
  const { judgeStamps, TimeStampError } = await stamping();
  try {
    const bytes = (base64: string): Uint8Array => Buffer.from(base64, 'base64');
    const file =
      text === undefined ? await answered(context, orgId, bytes(request), bytes(answer)) : readStampFile(utf8(text));
    needOwnCheckpoint(context.store, orgId, file.checkpoint);
    const written = formatStampFile(file);
    if (written.length > LIMITS.timeStampFile) {
      throw new ServiceError('VALIDATION_ERROR', `the file would have more than ${LIMITS.timeStampFile} bytes`);
    }
    const { verdict, tokens } = judgeStamps(utf8(written), []);
    if (verdict === 'failed') {
      const { code, message } = tokens.find((one) => one.code !== null && one.code !== 'ROOT_UNKNOWN') ?? {};
      throw new ServiceError('VALIDATION_ERROR', `the time stamp does not hold: ${code}: ${message}`);
    }
    const digests = tokens.flatMap(({ digest }) => digest ?? []);
    const [first, newest] = [tokens[0], tokens.at(-1)];
    const row = {
      orgId,
      digest: newest?.digest ?? '',
      firstDigest: first?.digest ?? '',
      size: file.checkpoint.size,
      tokens: tokens.length,
      existedBefore: parseTime(first?.existed_before ?? ''),
      authority: newest?.authority ?? '',
      addedAt: context.now(),
      file: written,
    };
    return { row, digests, madeNotBefore: parseTime(newest?.made_not_before ?? '') };
  } catch (error) {
    if (!(error instanceof ProtocolError || error instanceof TimeStampError)) throw error;
    throw new ServiceError('VALIDATION_ERROR', `the time stamp cannot be taken: ${error.message}`);
  }
}

/**
 * Keeps a time stamp, and notes its tokens in the log of events: what is sealed over that is shown to be later than they are.
 * @throws ServiceError VALIDATION_ERROR where it does not hold or is of another log; CONFLICT where it shows that the clock of this machine
 *   is or was wrong: whoever verifies what is signed then would find it
 */
async function addTimeStamp(
  context: TimeContext,
  { orgId, userId }: Actor,
  given: AddTimeStamp,
): Promise<TimeStampRow> {
  const { store, writer, now } = context;
  const { row, digests, madeNotBefore } = await stampsIn(context, orgId, given);
  const { digest, size, existedBefore, authority } = row;
  const time = now();
  if (time < madeNotBefore) {
    throw new ServiceError(
      'CONFLICT',
      `the time stamp was made at ${formatTime(madeNotBefore)}, and the clock of this machine says ${formatTime(time)}: set it right, or import it once that time is past`,
    );
  }
  const newest = newestTimed(store, orgId, size);
  if (newest !== null && newest.receivedAt > existedBefore) {
    throw new ServiceError(
      'CONFLICT',
      `record ${newest.seqNo} says that it was received at ${formatTime(newest.receivedAt)}, and the time stamp that it existed before ${formatTime(existedBefore)}: ask for another one; if that says the same, the clock of this machine was ahead, or that of the authority is behind`,
    );
  }
  // A crash after it leaves both kept.
  return writer.transact((tx) => {
    keepStamps(tx, row);
    const details = { size, tokens: digests, authority, existed_before: formatTime(existedBefore) };
    const target = { targetType: 'time_stamp', targetId: digest, details };
    recordAdminEvent(tx, { orgId, actor: userId, action: 'ledger.time_stamped', ...target }, now());
    return stampView(findStamps(tx, orgId, digest));
  });
}

/** Notes a line that nobody could know before a time: which, those who verify know. */
async function noteLine(
  { writer, now }: TimeContext,
  { orgId, userId }: Actor,
  { line, source }: { readonly line: string; readonly source: string },
): Promise<void> {
  // A crash after it leaves it noted.
  await writer.transact((tx) => {
    const target = { targetType: 'line', targetId: formatDigest(sha256(utf8(line))), details: { line, source } };
    recordAdminEvent(tx, { orgId, actor: userId, action: 'ledger.line_noted', ...target }, now());
  });
}

const place = z.tuple([z.int(), z.string()]);

export function timeStampRoutes(context: TimeContext) {
  const { store, key } = context;
  return {
    listTimeStamps: ({ caller, query }) => ({
      body: askedPage(
        query,
        place,
        (before, most) => listStamps(store, caller.orgId, before, most),
        ({ size, digest }): [number, string] => [size, digest],
      ),
    }),
    timeStampRequest: async ({ caller: { orgId }, query: { size, renews } }) => {
      const file =
        renews === undefined
          ? stampFileOf(utf8(await checkpointOf(store, key, orgId, size)))
          : readStampFile(utf8(findStamps(store, orgId, renews).file));
      const { makeRequest, stampedBytes } = await stamping();
      const request = makeRequest(stampedBytes(file), renews === undefined ? 'sha256' : 'sha512');
      return { body: { request: Buffer.from(request).toString('base64'), size: file.checkpoint.size } };
    },
    timeStampFile: ({ caller, param }) => ({ plainText: findStamps(store, caller.orgId, param('digest')).file }),
    addTimeStamp: async ({ caller, body }) => ({ body: { time_stamp: await addTimeStamp(context, caller, body) } }),
    noteLine: async ({ caller, body }) => {
      await noteLine(context, caller, body);
      return { body: { success: true } };
    },
  } satisfies Partial<Handlers>;
}
