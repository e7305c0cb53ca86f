import { type BundleRecord, manifestSignedBytes, receiptSignedBytes } from '../../protocol/index.ts';
import { type Bundle, countsOf } from './bundle.ts';
import { canForge, forge, forgersKey, serviceKeyOf } from './forge.ts';
import {
  type About,
  failing,
  type Mutation,
  place,
  recordMutation,
  type Subject,
  withRecord,
  written,
} from './mutation.ts';

/** A record of the ledger of another organization put in place of one that is there. */
function splice(about: About, put: (own: BundleRecord, other: BundleRecord) => BundleRecord): Mutation {
  return failing(about, (subject: Subject) => {
    const { bundle } = subject;
    const index = bundle.records.length === 0 ? 0 : subject.number(about.id, Math.min(bundle.records.length, 16));
    const own = bundle.records[index];
    if (own === undefined) return 'the bundle holds no records';
    return written(place(bundle, index), () =>
      withRecord(bundle, index, put(own, subject.other.records[index] ?? own)),
    );
  });
}

/** The whole bundle made again with other keys: sound in itself, and only a trusted key tells it from the true one. */
function resigned(about: About, agentsToo: boolean): Mutation {
  return {
    ...about,
    expected: 'unverified',
    copies: ({ bundle }) => {
      if (!canForge(bundle)) return 'its trees are too large to be built again';
      return written('everything', () => forge(bundle, { label: about.id, agentsToo }));
    },
  };
}

/** The manifest signed again with a key of the forger, which is added to the service keys. */
function withOwnManifest(bundle: Bundle): Bundle {
  const key = forgersKey('a second service');
  const added = serviceKeyOf(key, bundle.service_keys.at(-1)?.created_at ?? 0);
  const { format, manifest, manifest_signature: _, ...rest } = bundle;
  const contents = { ...rest, service_keys: [...rest.service_keys, added] };
  const own = { ...manifest, ...countsOf(contents), service_kid: added.kid };
  return { format, ...contents, manifest: own, manifest_signature: key.sign(manifestSignedBytes(own)) };
}

/** Signatures of others, and what is taken from elsewhere. */
export const FORGERIES: readonly Mutation[] = [
  splice(
    {
      id: 'splice-record',
      title: 'a record with its receipt taken from another organization',
      attack: 'pass off what happened elsewhere',
    },
    (own, other) => ({ ...own, eor: other.eor, ear: other.ear }),
  ),
  splice(
    {
      id: 'splice-receipt',
      title: 'a receipt taken from another organization',
      attack: "pass off another service's word as this one's",
    },
    (own, other) => ({ ...own, ear: other.ear }),
  ),
  splice(
    {
      id: 'splice-operation',
      title: 'an operation taken from another organization',
      attack: 'put an operation under a true receipt',
    },
    (own, other) => ({ ...own, eor: other.eor }),
  ),
  {
    id: 'splice-run',
    title: 'a run of records from another organization appended',
    attack: 'join two histories',
    expected: 'failed',
    copies: (subject) => {
      const { bundle } = subject;
      const at = `after ${place(bundle, bundle.records.length - 1)}`;
      return written(at, () => ({ ...bundle, records: [...bundle.records, ...subject.other.records] }));
    },
  },
  recordMutation(
    { id: 'resign-receipt', title: 'a receipt signed again with another key', attack: 'give a receipt in its name' },
    ({ ear: { service_signature: _, ...receipt }, ...rest }) => ({
      ...rest,
      ear: { ...receipt, service_signature: forgersKey('a strange service').sign(receiptSignedBytes(receipt)) },
    }),
  ),
  {
    id: 'resign-manifest',
    title: 'the manifest signed again with another key, under the same kid',
    attack: 'state something else of the bundle',
    expected: 'failed',
    copies: ({ bundle }) =>
      written('manifest', () => ({
        ...bundle,
        manifest_signature: forgersKey('a strange service').sign(manifestSignedBytes(bundle.manifest)),
      })),
  },
  {
    id: 'own-manifest',
    title: 'the manifest signed with a new key, added to the service keys',
    attack: 'state something else of the bundle, sound in itself',
    expected: 'unverified',
    copies: ({ bundle }) => written('manifest', () => withOwnManifest(bundle)),
  },
  resigned(
    {
      id: 'resign-service',
      title: 'all that the service signed, signed again with another key',
      attack: 'take the place of the service',
    },
    false,
  ),
  resigned(
    {
      id: 'resign-everything',
      title: 'every payload changed, all keys exchanged, everything signed again',
      attack: 'rewrite the whole history, sound in itself',
    },
    true,
  ),
];
