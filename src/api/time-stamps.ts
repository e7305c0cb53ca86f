import { z } from 'zod';
import { digest, listOf, milliseconds, properName } from './fields.ts';
import { LIMITS } from './limits.ts';
import { logSize } from './lists.ts';

/** A file of time stamps over a checkpoint of the log (protocol F116). Nobody here vouches for the authority: whoever verifies does. */
const timeStamp = z.strictObject({
  digest: digest.meta({ description: 'of its newest token, in DER' }),
  size: z.int().meta({ description: 'of the checkpoint: how many records it covers' }),
  tokens: z.int().min(1),
  existed_before: milliseconds.meta({
    description: 'the latest time that the first token means, by the clock of its authority',
  }),
  authority: z.string().meta({ description: 'who signed the newest token, as its certificate calls them' }),
  added_at: milliseconds,
  renewed: z.boolean().meta({ description: 'whether there is one with this stamp and a newer one over it' }),
});
export const timeStamps = listOf(timeStamp);
export const timeStampAnswer = z.strictObject({ time_stamp: timeStamp });
export type TimeStampRow = z.infer<typeof timeStamp>;

export const timeStampRequestQuery = z.strictObject({
  size: logSize.optional().meta({ description: 'of a sealed checkpoint; the newest where it is left out' }),
  renews: digest.optional().meta({ description: 'a stamp that is to have another one over it, in place of a size' }),
});
export const timeStampRequest = z.strictObject({
  request: z.base64().meta({ description: 'a TimeStampReq of RFC 3161, in DER' }),
  size: z.int(),
});

const message = z
  .base64()
  .max(LIMITS.timeStampMessage, `must have at most ${LIMITS.timeStampMessage} characters`)
  .optional();

export const addTimeStampBody = z
  .strictObject({
    request: message.meta({ description: 'the request that was sent' }),
    answer: message.meta({ description: 'what the authority answered, a TimeStampResp of RFC 3161' }),
    file: z
      .string()
      .max(LIMITS.timeStampFile, `must have at most ${LIMITS.timeStampFile} characters`)
      .optional()
      .meta({ description: 'what `countersign timestamp import` wrote, in place of both' }),
  })
  .refine(
    ({ request, answer, file }) =>
      (file === undefined) === (request !== undefined && answer !== undefined) &&
      (request === undefined) === (answer === undefined),
    'must hold request and answer, or file',
  );

export type AddTimeStamp = z.infer<typeof addTimeStampBody>;

/** A line that nobody could know before a time, such as a round of a public beacon (protocol F122). */
export const notedLineBody = z.strictObject({
  line: properName(LIMITS.notedLine),
  source: properName(LIMITS.notedLineSource).meta({
    description: 'where whoever verifies finds the line, and when it came out',
  }),
});
