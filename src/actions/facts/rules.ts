import { z } from 'zod';
import { DEFAULT_RULES, NOTHING_OWN } from './default-rules.ts';

/** `*` is any run of characters, `?` any single one. */
const glob = z.string().min(1).max(128);
/** A JSON Pointer into the decoded payload: texts that are JSON count as opened. */
const pointer = z
  .string()
  .max(512)
  .regex(/^(\/([^~/]|~[01])*)+$/, 'must be a JSON Pointer, such as "/arguments/user_id"');
const pointers = z.array(pointer).max(64);
/** A member and those above it, each a pattern: `payment_methods.*.id` anywhere, `/result/id` from the top. Arrays are passed through. */
const memberPath = z.string().min(1).max(256);
const kind = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be a lowercase name, such as "reservation"');
const access = z.enum(['mentioned', 'read', 'send', 'write', 'delete']);
const verbs = z.array(z.string().regex(/^[a-z]{2,32}$/)).max(128);

/** Which records a rule is about: those of this operation type and tool. */
const about = { type: glob.optional(), tool: glob.optional() };

/** One place, or several that mean the same. */
const placesOf = <T extends z.ZodType>(place: T) => z.union([place, z.array(place).min(1).max(64)]);

const outcome = z.strictObject({
  ...about,
  at: placesOf(pointer),
  like: z
    .array(z.union([glob, z.number(), z.boolean()]))
    .min(1)
    .max(64)
    .optional()
    .meta({
      description: 'the value is one of these; where left out, that there is a value is enough',
    }),
  from: z.number().optional().meta({ description: 'the value is a number, or a text of digits, from this one on' }),
  to: z.number().optional(),
  is: z.enum(['ok', 'failed', 'refused', 'unknown']),
});

const entity = z.strictObject({
  kind,
  at: placesOf(memberPath),
  like: glob.optional(),
  access: access.optional().meta({ description: 'where left out, the verb in the name of the tool says it' }),
});

const subject = z.strictObject({ kind, like: glob.optional() });

const call = z.strictObject({
  at: placesOf(z.union([z.literal(''), pointer])).meta({
    description: 'where the object of the call stands; * is any element of an array',
  }),
  has: z
    .array(z.array(pointer).min(1).max(16))
    .max(8)
    .optional()
    .meta({ description: 'of each group it has at least one member; pointers are relative to it' }),
  like: z.record(pointer, z.array(glob).min(1).max(16)).optional(),
  type: glob.optional(),
  tool: z.union([z.literal('action'), z.literal('type'), pointer]).optional(),
  named: z.string().min(1).max(64).optional().meta({ description: 'its tool, where no member says it' }),
  prefix: z.string().min(1).max(64).optional(),
  id: pointer.optional().meta({ description: 'where its id stands, where it is in no member of `ids`' }),
  inputs: pointers.optional(),
  outputs: pointers.optional(),
  verb: pointers.optional().meta({ description: 'where a word says what is done, such as an HTTP method' }),
});

type Outcome = z.infer<typeof outcome>;
type Entity = z.infer<typeof entity>;
type Call = z.infer<typeof call>;

/** The defaults as whoever changes rules is given them: their own. */
const copyOf = <T>(lists: unknown): T => JSON.parse(JSON.stringify(lists)) as T;

const approval = z.strictObject({
  ...about,
  by: z.strictObject(about).optional().meta({
    description: 'the records that approve; where left out, decisions of the payload profile',
  }),
});

const ownName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[^\s@/]+$/, 'must be a name, such as "example.org"');

/** What is the organization's own; everything else is elsewhere. No payload is read otherwise for it. */
const own = z.strictObject({
  domains: z
    .array(ownName)
    .max(256)
    .default([])
    .meta({ description: 'with all names below them, of hosts and of addresses' }),
  hosts: z.array(ownName).max(256).default([]).meta({ description: 'names or IP addresses' }),
  networks: z
    .array(z.union([z.cidrv4(), z.cidrv6()]))
    .max(64)
    .default([])
    .meta({ description: 'address ranges, such as 10.0.0.0/8' }),
  people: z
    .array(
      z
        .string()
        .max(320)
        .regex(/^[^\s@]+@[^\s@]+$/, 'must be an address'),
    )
    .max(512)
    .default([]),
});

/**
 * By which payloads are read that are not of the payload profile, and what counts as an entity in all. Each member that is left
 * out is that of the defaults. Lists are gone through in order; the first that fits counts.
 */
export const investigationRules = z.strictObject({
  version: z.literal(1),
  sessions: z
    .array(z.union([z.literal('subject'), pointer]))
    .max(64)
    .default([...DEFAULT_RULES.sessions]),
  parents: pointers.default([...DEFAULT_RULES.parents]),
  tools: z
    .array(z.union([z.literal('action'), z.literal('type'), pointer]))
    .max(64)
    .default([...DEFAULT_RULES.tools]),
  within: pointers
    .default([...DEFAULT_RULES.within])
    .meta({ description: 'objects that a call may be wrapped in, where the payload itself is not one' }),
  calls: z
    .array(call)
    .max(128)
    .default(() => copyOf<Call[]>(DEFAULT_RULES.calls))
    .meta({ description: 'objects that are calls by the members they have' }),
  ids: pointers
    .default([...DEFAULT_RULES.ids])
    .meta({ description: 'by which records of one agent and session are of one call' }),
  inputs: pointers.default([...DEFAULT_RULES.inputs]),
  outputs: pointers.default([...DEFAULT_RULES.outputs]),
  people: pointers.default([...DEFAULT_RULES.people]),
  durations: pointers.default([...DEFAULT_RULES.durations]),
  outcomes: z
    .array(outcome)
    .max(128)
    .default(() => copyOf<Outcome[]>(DEFAULT_RULES.outcomes)),
  subjects: z
    .array(subject)
    .max(64)
    .default(() => DEFAULT_RULES.subjects.map((rule) => ({ ...rule })))
    .meta({ description: "which kind of entity the record's own subject is; where none fits, it is not one" }),
  entities: z
    .array(entity)
    .max(256)
    .default(() => copyOf<Entity[]>(DEFAULT_RULES.entities)),
  commands: z
    .array(z.string().min(1).max(64))
    .max(32)
    .default([...DEFAULT_RULES.commands])
    .meta({
      description: 'names of members with a command of a shell, out of which hosts, files and accounts are read',
    }),
  verbs: z
    .strictObject({ read: verbs, write: verbs, delete: verbs, send: verbs })
    .default(() => ({ ...DEFAULT_RULES.verbs })),
  approvals: z.array(approval).max(64).default([]),
  facets: z.array(pointer).max(12).default([]),
  own: own.default(() => ({ ...NOTHING_OWN })),
});

export type InvestigationRules = z.infer<typeof investigationRules>;
