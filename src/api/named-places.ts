import { z } from 'zod';
import { peopleNames } from './exports.ts';
import { id, name } from './fields.ts';
import { LIMITS } from './limits.ts';

/* Where a ledger names people (docs/retention.md, "A person, everywhere"). */

const count = z.int().min(0);
const examples = z.array(z.string()).max(LIMITS.recordsOfPlace);

export const placesBody = z.strictObject({
  names: peopleNames.min(1),
  after: count.default(0).meta({ description: '`examined` of the answer before; 0 begins' }),
});

/** Where records are named by their own texts: outside the payload, which every bundle shows, and in it. */
const RECORD_PLACES = ['subject', 'action', 'type', 'value', 'name', 'apart', 'whole'] as const;

const recordPlace = z.strictObject({
  place: z.enum(RECORD_PLACES).meta({
    description:
      '`value` and `name` of a member of the payload; `apart`: one of several values that have a name between them; `whole`: a payload that is too large to be read whole',
  }),
  pointer: z
    .string()
    .nullable()
    .meta({ description: 'in the payload: JSON Pointer with `*` for any element of an array' }),
  withheld: z
    .enum(['member', 'payload'])
    .nullable()
    .meta({ description: 'what an export withholds so that it is not there; null: always shown' }),
  erased: z
    .boolean()
    .meta({ description: 'whether erasing the payload, or all members of a salted one, takes it away' }),
  records: count,
  operation_ids: z.array(id).max(LIMITS.recordsOfPlace).meta({ description: 'of some of these records' }),
});
export type RecordPlace = z.infer<typeof recordPlace>;

/** Places besides the records: what every bundle with the agent or organization shows, and what none does. */
const BESIDES = ['organization', 'agent_id', 'agent_name', 'admin_event', 'tag', 'note', 'saved_search'] as const;

const placeBesides = z.strictObject({ place: z.enum(BESIDES), count: z.int().min(1), examples });

export const placesAnswer = z.strictObject({
  names: z.array(
    z.strictObject({
      name: name(LIMITS.retention.person),
      folded: z.string().meta({ description: 'what is compared: without case, accents and signs' }),
    }),
  ),
  examined: count.meta({ description: 'every record up to here was looked at; ask again with it as `after`' }),
  last: count.meta({ description: 'where the ledger ends' }),
  records: count.meta({ description: 'that name one of them, among those of this answer' }),
  payloads: count.meta({ description: 'those of them whose payload does' }),
  operation_ids: z.array(id).meta({ description: 'of these records, in order' }),
  places: z.array(recordPlace).max(LIMITS.places),
  more_places: z.boolean().meta({ description: 'there are more kinds of places than are listed' }),
  besides: z.array(placeBesides).meta({ description: 'besides the records; with `after` 0 alone' }),
  besides_not_examined: z.boolean().meta({ description: 'there are more events or notes than were looked at' }),
});
export type PlacesAnswer = z.infer<typeof placesAnswer>;
