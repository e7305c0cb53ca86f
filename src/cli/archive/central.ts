import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Agent, AgentError, generateKeyPair, ServiceClient } from '../../agent/index.ts';
import { pagesPath, writeDurably } from '../../node/index.ts';
import { countRuns, type NumberRun, recordProofBytes, recordProofOf, runsText, uuidOf } from '../../protocol/index.ts';
import { hasCode } from '../../protocol/light.ts';
import { givenSettings, isInForce, isStorageFull, type Service, startService } from '../../service/index.ts';
import {
  ACCEPTANCE,
  type AcceptedRun,
  ARCHIVE_AGENT,
  ArchiveError,
  acceptedRuns,
  DECISION,
  type Decision,
  decisionsIn,
  type EngineAddress,
  KEEPERS,
  type LedgerDecision,
  lastKeepers,
  lastReaders,
  orderPath,
  READERS,
  RECALL,
  REPLACEMENT,
  type RefusedRun,
  type RunPlace,
  SWEPT,
} from '../../service/light.ts';
import { FileProblem } from '../command.ts';

/** Whom the central node signs in as, and the key of its agent: in the data folder, for this user alone. */
const IDENTITY_FILE = 'archive-identity.json';

const identityShape = z.strictObject({
  email: z.string(),
  password: z.string(),
  publicKey: z.string(),
  privateKey: z.string(),
});
type Identity = z.infer<typeof identityShape>;

const issued = z.looseObject({ token: z.string() });
const organization = z.looseObject({ org_id: z.string() });
const holdList = z.looseObject({
  holds: z.array(z.looseObject({ selection: z.looseObject({}), released_at: z.string().nullable() })),
});

/** One decision names no more runs of numbers: a payload holds 256 KiB. */
const MOST_RUNS = 7000;

/** A step that is done: tests end the process there. */
export type CentralStep =
  | 'identity'
  | 'signed_up'
  | 'registered'
  | 'verified'
  | 'accepted'
  | 'decided'
  | 'swept'
  | 'recalled'
  | 'withdrawn'
  | 'ordered';

/** Who may search the ledgers of an organization: the home organization of the central node, or another one of its service. */
export interface Reader {
  readonly organization: string;
  /** Null for the home organization. */
  readonly reader: string | null;
}

export interface CentralOptions {
  readonly from: RunPlace;
  /** A search engine that counts in what was accepted. */
  readonly engine?: EngineAddress | undefined;
  readonly readers: readonly Reader[];
  /** Whose rules decide how long payloads of an organization stay in the archive: one for each. They may search its ledgers too. */
  readonly keepers?: readonly Reader[];
  readonly trustedKids: readonly string[];
  readonly onAccepted: (run: AcceptedRun) => void;
  readonly onRefused: (run: RefusedRun) => void;
  readonly onStep?: (step: CentralStep) => void;
}

/** Where the central node's account is kept. */
export function identityPath(dataDir: string): string {
  return join(dataDir, IDENTITY_FILE);
}

/** Made before the account: a crash between the two leaves an identity that nobody knows, and the next start signs it up. */
async function identityOf(dataDir: string): Promise<Identity> {
  const path = identityPath(dataDir);
  if (existsSync(path)) return identityShape.parse(JSON.parse(readFileSync(path, 'utf8')));
  const { publicKey, privateKey } = generateKeyPair();
  // A name that no mail reaches (RFC 2606).
  const identity = {
    email: 'archive@archive.invalid',
    password: randomBytes(24).toString('base64url'),
    publicKey,
    privateKey,
  };
  await writeDurably(path, `${JSON.stringify(identity)}\n`);
  return identity;
}

/** Whether a decision is about an accepted run. */
function isAbout(one: Decision, run: AcceptedRun): boolean {
  return run.kid === one.kid && run.org_id === one.org_id && run.first_epoch_no === one.first_epoch_no;
}

/** UUID v4 by form, out of what is accepted: the same run is recorded once, whatever happens. */
function operationIdOf(run: AcceptedRun): string {
  const stated = JSON.stringify([ACCEPTANCE, run.kid, run.org_id, run.first_epoch_no, run.sha256]);
  return uuidOf(createHash('sha256').update(stated).digest());
}

/** Starts the service of a central node with its page, and the node. @throws StartError, FileProblem */
export async function startCentral(
  commandLine: Readonly<Record<string, string | undefined>>,
  options: CentralOptions,
): Promise<{ readonly service: Service; readonly node: CentralNode }> {
  const { dataDir, ...others } = commandLine;
  const { values, origins } = givenSettings({
    commandLine: { 'data-dir': dataDir, ...others },
    environment: process.env,
    configFile: {},
  });
  const pages = pagesPath();
  const service = await startService({ ...values, rendererDir: existsSync(pages) ? pages : null }, { origins });
  try {
    return { service, node: await CentralNode.open(service, options) };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** The node that an archive is verified by: an agent of its service's home organization, whose records say what was accepted. */
export class CentralNode {
  readonly #service: Service;
  readonly #orgId: string;
  readonly #agent: Agent;
  /** Calls as the account that administers the node, and how to sign in as that. */
  readonly owner: ServiceClient;
  readonly email: string;
  readonly password: string;
  readonly #options: CentralOptions;
  /** Refusals that were told, so that each is told once. */
  #told = new Set<string>();
  /** Of decisions, by their operation: the holds of which none covers anything of them. */
  readonly #free = new Map<string, string>();
  /** Decisions that were called back, and lie next to the runs no longer. */
  readonly #withdrawn = new Set<number>();
  /** Those of which this look could not tell whether a hold covers any: they do not lie there until one can. */
  #unsure: ReadonlySet<LedgerDecision> = new Set();

  private constructor(
    service: Service,
    orgId: string,
    agent: Agent,
    { owner, email, password }: Pick<CentralNode, 'owner' | 'email' | 'password'>,
    options: CentralOptions,
  ) {
    this.owner = owner;
    this.email = email;
    this.password = password;
    this.#service = service;
    this.#orgId = orgId;
    this.#agent = agent;
    this.#options = options;
  }

  /** @throws FileProblem where the service was set up by somebody else */
  static async open(service: Service, options: CentralOptions): Promise<CentralNode> {
    const { dataDir, url: serviceUrl } = service;
    const code = service.setUpCode();
    if (code === null && !existsSync(identityPath(dataDir))) {
      throw new FileProblem(`${dataDir}: is the data folder of a service that is no central node: name another one`);
    }
    const { onStep = () => {} } = options;
    const { email, password, publicKey, privateKey } = await identityOf(dataDir);
    onStep('identity');
    const client = new ServiceClient({ serviceUrl });
    const names = { name: 'Archive', org_name: 'Archive' };
    const session = issued.parse(
      code === null
        ? await client.post('/api/auth/sign-in/email', { email, password })
        : await client.post('/api/auth/sign-up/email', { email, password, ...names, setup_code: code }),
    );
    onStep('signed_up');
    const owner = new ServiceClient({ serviceUrl, token: session.token });
    const { org_id: orgId } = organization.parse(await owner.get('/v1/organization'));
    const kid = 'archive-1';
    try {
      const keys = [{ kid, public_key: publicKey, algorithm: 'ed25519' }];
      await owner.post('/v1/agents/register', { agent_id: ARCHIVE_AGENT, keys });
    } catch (error) {
      // Registered by a start before this one.
      if (!(error instanceof AgentError) || error.code !== 'CONFLICT') throw error;
    }
    onStep('registered');
    const scope = { scope: 'submit', agent_id: ARCHIVE_AGENT, ttl_seconds: null };
    const { token } = issued.parse(await owner.post('/v1/auth/token', scope));
    const signer = { orgId, agentId: ARCHIVE_AGENT, kid, privateKey, salted: false };
    const agent = new Agent({ serviceUrl, token, ...signer, serviceKid: service.kid });
    const node = new CentralNode(service, orgId, agent, { owner, email, password }, options);
    await node.#keepMemory();
    await node.#openRoom();
    return node;
  }

  /** Whom a host names to follow this node's decisions. */
  get orderKey(): string {
    return `${this.#service.kid}@${this.#orgId}`;
  }

  /** No rule takes away what the node remembers: its records are under a hold. */
  async #keepMemory(): Promise<void> {
    const selection = { kind: 'agent', agent_id: ARCHIVE_AGENT };
    const { holds } = holdList.parse(await this.owner.get('/v1/retention/holds'));
    const isHeld = holds.some(
      ({ released_at: at, selection: of }) => at === null && of['agent_id'] === ARCHIVE_AGENT && of['kind'] === 'agent',
    );
    if (isHeld) return;
    const reason = 'The node remembers by these records alone what it accepted';
    await this.owner.post('/v1/retention/holds', { selection, reason });
  }

  /**
   * Looks at the archive once.
   * @param recheck whether the bytes of everything that was accepted are looked at again
   * @returns what is refused at present
   * @throws ArchiveError, also where the data folder has no room: what could not be written down is looked at again
   */
  async follow(recheck: boolean, signal: AbortSignal): Promise<RefusedRun[]> {
    try {
      return await this.#look(recheck, signal);
    } catch (cause) {
      if (!isStorageFull(cause) && !hasCode(cause, 'STORAGE_FULL')) throw cause;
      throw new ArchiveError('SPOOL_UNUSABLE', `${this.#service.dataDir} takes no more: make room on its disk`, {
        cause,
      });
    }
  }

  async #look(recheck: boolean, signal: AbortSignal): Promise<RefusedRun[]> {
    const { trustedKids, onAccepted, onRefused, onStep = () => {} } = this.#options;
    const refused: RefusedRun[] = [];
    const before = await decisionsIn(this.#service.dataDir, this.#orgId);
    const { archive } = this.#service;
    archive.decisions = before.decisions;
    await archive.follow({
      trustedKids,
      accepted: await acceptedRuns(this.#service.dataDir, this.#orgId),
      recheck,
      signal,
      keepers: this.#keeping,
      onAccepted: async (run) => {
        onStep('verified');
        await this.#agent.submit({
          operationType: run.replaces === null ? ACCEPTANCE : REPLACEMENT,
          subject: `${run.kid}/${run.org_id}`,
          action: run.replaces === null ? 'accept' : 'replace',
          payload: { ...run },
          operationId: operationIdOf(run),
        });
        onStep('accepted');
        onAccepted(run);
      },
      onRefused: (run) => void refused.push(run),
    });
    const now = new Set(refused.map(({ path, code }) => `${code} ${path}`));
    for (const run of refused) if (!this.#told.has(`${run.code} ${run.path}`)) onRefused(run);
    this.#told = now;
    await this.#recall(signal);
    await this.#decide(before.swept, signal);
    await this.#order(recheck);
    return refused;
  }

  /** Follows the sweeps of those whose rules decide: what is due and not held is written down, run by run. */
  async #decide(swept: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { archive, dataDir } = this.#service;
    const since = (await lastKeepers(dataDir, this.#orgId))?.receivedAt ?? Number.POSITIVE_INFINITY;
    for (const [keeper, organizations] of this.#keeping) {
      const sweep = archive.sweepOf(keeper, since);
      if (sweep === null || swept.has(sweep.sweepId)) continue;
      await archive.settled();
      const holds = archive.holdsOf(keeper);
      let [held, isWhole] = [0, true];
      const { sweepId: sweep_id, begunBy: begun_by, rulesDigest: rules_digest } = sweep;
      for (const run of await acceptedRuns(dataDir, this.#orgId)) {
        if (!organizations.has(run.org_id)) continue;
        signal.throwIfAborted();
        const found = await archive.due(keeper, run, sweep);
        // One that cannot be searched is looked at the next time.
        isWhole &&= found !== null;
        held += found?.held ?? 0;
        await this.#note({ sweep_id, begun_by, rules_digest }, run, { due: found?.due ?? [], holds });
      }
      if (!isWhole) continue;
      const ofSweep = archive.decisions.filter((one) => one.sweep_id === sweep_id && !one.isRecalled);
      const records = ofSweep.reduce((sum, one) => sum + one.records, 0);
      const payload = { sweep_id, begun_by, rules_digest, organizations: [...organizations].sort(), records, held };
      await this.#agent.submit({ operationType: SWEPT, subject: 'archive', action: 'sweep', payload });
      this.#options.onStep?.('swept');
    }
  }

  /**
   * Writes down that payloads of a run are to leave the archive.
   * @param found which, and the holds of which none covers them
   */
  async #note(
    { sweep_id, begun_by, rules_digest }: Pick<Decision, 'sweep_id' | 'begun_by' | 'rules_digest'>,
    { kid, org_id, first_epoch_no, last_epoch_no, sha256 }: AcceptedRun,
    { due, holds }: { readonly due: readonly NumberRun[]; readonly holds: string },
  ): Promise<void> {
    const { archive } = this.#service;
    for (let at = 0; at < due.length; at += MOST_RUNS) {
      const runs = due.slice(at, at + MOST_RUNS);
      const last = archive.decisions.reduce((most, one) => Math.max(most, one.decision_no), 0);
      const decision = {
        kid,
        org_id,
        first_epoch_no,
        last_epoch_no,
        sha256,
        sweep_id,
        begun_by,
        rules_digest,
        decision_no: Math.max(Date.now(), last + 1),
        seq_no: runsText(runs),
        records: countRuns(runs),
      };
      const { operation_id } = await this.#agent.submit({
        operationType: DECISION,
        subject: `${kid}/${org_id}`,
        action: 'erase',
        payload: decision,
      });
      archive.decisions = [...archive.decisions, { ...decision, operation_id, isRecalled: false }];
      this.#free.set(operation_id, holds);
      this.#options.onStep?.('decided');
    }
  }

  /**
   * Calls decisions back of which a hold covers something by now, as far as their hosts have not followed them: what is left of one is decided
   * first, as the same sweep had it, so that a crash between the two loses nothing.
   */
  async #recall(signal: AbortSignal): Promise<void> {
    const { archive, dataDir } = this.#service;
    const unsure = new Set<LedgerDecision>();
    this.#unsure = unsure;
    const accepted = await acceptedRuns(dataDir, this.#orgId);
    for (const [keeper, organizations] of this.#keeping) {
      const holds = archive.holdsOf(keeper);
      for (const one of archive.decisions) {
        const run = accepted.find((of) => isAbout(one, of));
        if (run === undefined || !organizations.has(run.org_id) || one.isRecalled) continue;
        if (one.decision_no <= (run.decision_no ?? 0) || this.#free.get(one.operation_id) === holds) continue;
        signal.throwIfAborted();
        await archive.settled();
        const found = await archive.due(keeper, run, one);
        if (found === null) {
          unsure.add(one);
          await this.#withdraw(one);
          continue;
        }
        if (found.held === 0) {
          this.#free.set(one.operation_id, holds);
          continue;
        }
        const rest = runsText(found.due);
        const isNoted = archive.decisions.some(
          (other) => isAbout(other, run) && !other.isRecalled && other !== one && other.seq_no === rest,
        );
        if (!isNoted) await this.#note(one, run, { due: found.due, holds });
        const { kid, org_id, decision_no } = one;
        const left = one.records - found.held - countRuns(found.due);
        await this.#agent.submit({
          operationType: RECALL,
          subject: `${kid}/${org_id}`,
          action: 'recall',
          payload: { kid, org_id, decision_no, holds: [...found.holds], records: found.held, left },
        });
        archive.decisions = archive.decisions.map((other) => (other === one ? { ...one, isRecalled: true } : other));
        this.#options.onStep?.('recalled');
        await this.#withdraw(one);
      }
    }
  }

  async #withdraw({ kid, org_id: orgId, decision_no: no }: Decision): Promise<void> {
    await this.#service.archive.order(orderPath({ kid, orgId }, no), this.orderKey, null);
    this.#withdrawn.add(no);
    this.#options.onStep?.('withdrawn');
  }

  /**
   * Puts decisions that are not followed yet into the archive, each with the proof that it is in this node's ledger, and takes away those that were called
   * back: one of them lies there again where its host has followed it, which has to find what it followed.
   * @param all those that are followed, too
   */
  async #order(all: boolean): Promise<void> {
    const { archive, dataDir } = this.#service;
    const accepted = await acceptedRuns(dataDir, this.#orgId);
    const open: LedgerDecision[] = [];
    for (const one of archive.decisions) {
      const run = accepted.find((of) => isAbout(one, of));
      const { decision_no: no } = one;
      if (isInForce(one, run ?? {}) && !this.#unsure.has(one)) {
        if (all || this.#withdrawn.has(no) || (run?.decision_no ?? 0) < no) open.push(one);
      } else if (all || !this.#withdrawn.has(no)) {
        await this.#withdraw(one);
      }
    }
    if (open.length === 0) return;
    await this.owner.post('/v1/epochs', {});
    for (const { kid, org_id: orgId, decision_no: no, operation_id: id } of open) {
      const proof = recordProofOf(await this.owner.get(`/v1/operations/${id}/proof`));
      const text = Buffer.from(recordProofBytes(proof)).toString();
      await archive.order(orderPath({ kid, orgId }, no), this.orderKey, text);
      this.#withdrawn.delete(no);
      this.#options.onStep?.('ordered');
    }
  }

  /** Organizations of the service, each with those whose payloads it decides about. */
  get #keeping(): Map<string, Set<string>> {
    return this.#granted(this.#options.keepers ?? []);
  }

  /** Organizations of the service, each with those whose ledgers it may see, or whose payloads it decides about. */
  #granted(readers: readonly Reader[]): Map<string, Set<string>> {
    const granted = new Map<string, Set<string>>();
    for (const { organization, reader } of readers) {
      const of = reader ?? this.#orgId;
      granted.set(of, (granted.get(of) ?? new Set()).add(organization));
    }
    return granted;
  }

  /** Lets those read who may, and writes down who that is: a record whenever it changes. */
  async #openRoom(): Promise<void> {
    const { from, engine, readers, keepers = [] } = this.#options;
    const grants = this.#granted([...readers, ...keepers]);
    await this.#set(READERS, 'readers', grants, await lastReaders(this.#service.dataDir, this.#orgId));
    const last = await lastKeepers(this.#service.dataDir, this.#orgId);
    await this.#set(KEEPERS, 'keepers', this.#keeping, last?.payload ?? null);
    await this.#service.archive.open({ from, engine, grants });
  }

  /** Writes down who may do something, where that is not what was written down last. */
  async #set(
    operationType: string,
    member: string,
    granted: ReadonlyMap<string, ReadonlySet<string>>,
    last: string | null,
  ): Promise<void> {
    const now = [...granted]
      .map(([reader, organizations]) => ({ organizations: [...organizations].sort(), reader }))
      .sort((a, b) => (a.reader < b.reader ? -1 : 1));
    const before: unknown = last === null ? [] : JSON.parse(last)[member];
    // Members are in the order in which canonical JSON has them.
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    await this.#agent.submit({ operationType, subject: 'archive', action: 'set', payload: { [member]: now } });
  }

  /** Waits until everything that was accepted can be searched. */
  settled(): Promise<void> {
    return this.#service.archive.settled();
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}
