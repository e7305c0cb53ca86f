import { ServiceError } from '../../store/base/service-error.ts';
import { LogTree } from '../epochs/log-tree.ts';
import type { LedgerStore } from '../ledger-store.ts';

/**
 * A ledger whose damaged organizations can be read, and exported as far as it is sealed, and nothing more: no record is added to them and no epoch
 * sealed, for the service would put its name to a history that it knows to be wrong.
 */
export function readableOnly(inner: LedgerStore, damaged: ReadonlySet<string>): LedgerStore {
  if (damaged.size === 0) return inner;
  return {
    ...inner,
    orgsWithOpenLeaves: async () => (await inner.orgsWithOpenLeaves()).filter((orgId) => !damaged.has(orgId)),
    // As if the ledger ended with what is sealed: an export goes so far.
    tail: async (orgId) => {
      const tail = await inner.tail(orgId);
      return damaged.has(orgId) ? { ...tail, lastSeqNo: tail.lastEpoch?.lastSeqNo ?? 0 } : tail;
    },
    // Nothing is added to it.
    logTree: async (orgId, size) => (damaged.has(orgId) ? new LogTree() : inner.logTree(orgId, size)),
    openLeaves: async (orgId) => (damaged.has(orgId) ? [] : inner.openLeaves(orgId)),
    findKey: async (orgId, ...key) => {
      if (!damaged.has(orgId)) return inner.findKey(orgId, ...key);
      throw new ServiceError('CONFLICT', "the organization's stored ledger is damaged: it takes no records");
    },
  };
}
