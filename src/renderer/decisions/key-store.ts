import { KEY_STORE } from './texts.ts';
/** A person's key for decisions as this browser keeps it: its private half signs here and cannot be read out. */
export interface DecisionKey {
  readonly orgId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

const NAME = 'countersign.decisions';
const STORE = 'keys';

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser’s storage failed.'));
  });
}

async function opened<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(STORE, { keyPath: ['orgId', 'userId'] });
  };
  const database = await answered(opening);
  try {
    return await answered(use(database.transaction(STORE, mode, { durability: 'strict' }).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** The key of somebody in this browser; null where there is none. */
export async function keptKey(orgId: string, userId: string): Promise<DecisionKey | null> {
  return (await opened<DecisionKey | undefined>('readonly', (store) => store.get([orgId, userId]))) ?? null;
}

export async function keepKey(key: DecisionKey): Promise<void> {
  await opened('readwrite', (store) => store.put(key));
}

export async function dropKey(orgId: string, userId: string): Promise<void> {
  await opened('readwrite', (store) => store.delete([orgId, userId]));
}

/** Why this window cannot make a key, in a sentence; null where it can. */
export function cannotMakeKey(): string | null {
  // Missing where the page comes over plain HTTP from another machine, by which anybody in between could change it.
  if (globalThis.crypto?.subtle === undefined) {
    return KEY_STORE.needsHttps;
  }
  return null;
}

/** A new key pair: the private half never leaves the browser. @throws Error for a browser without Ed25519 */
export async function makeKey(): Promise<{ readonly privateKey: CryptoKey; readonly publicKey: Uint8Array }> {
  let pair: CryptoKeyPair;
  try {
    pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
  } catch {
    throw new Error('This browser cannot sign with Ed25519. Use a newer version of the browser.');
  }
  return {
    privateKey: pair.privateKey,
    publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)),
  };
}

export async function signWith({ privateKey }: DecisionKey, message: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, Uint8Array.from(message)));
}
