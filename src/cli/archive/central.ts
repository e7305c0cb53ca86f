import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Agent, AgentError, generateKeyPair, ServiceClient } from '../../agent/index.ts';
import { pagesPath, writeDurably } from '../../node/index.ts';
import { uuidOf } from '../../protocol/index.ts';
import { givenSettings, type Service, startService } from '../../service/index.ts';
import {
  ACCEPTANCE,
  type AcceptedRun,
  ARCHIVE_AGENT,
  acceptedRuns,
  type EngineAddress,
  lastReaders,
  READERS,
  REPLACEMENT,
  type RefusedRun,
  type RunPlace,
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

/** A step that is done: tests end the process there. */
export type CentralStep = 'identity' | 'signed_up' | 'registered' | 'verified' | 'accepted';

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
    await node.#openRoom();
    return node;
  }

  /**
   * Looks at the archive once.
   * @param recheck whether the bytes of everything that was accepted are looked at again
   * @returns what is refused at present
   */
  async follow(recheck: boolean, signal: AbortSignal): Promise<RefusedRun[]> {
    const { trustedKids, onAccepted, onRefused, onStep = () => {} } = this.#options;
    const refused: RefusedRun[] = [];
    await this.#service.archive.follow({
      trustedKids,
      accepted: await acceptedRuns(this.#service.dataDir, this.#orgId),
      recheck,
      signal,
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
    return refused;
  }

  /** Lets those read who may, and writes down who that is: a record whenever it changes. */
  async #openRoom(): Promise<void> {
    const { from, engine } = this.#options;
    const grants = new Map<string, Set<string>>();
    for (const { organization, reader } of this.#options.readers) {
      const of = reader ?? this.#orgId;
      grants.set(of, (grants.get(of) ?? new Set()).add(organization));
    }
    const readers = [...grants]
      .map(([reader, organizations]) => ({ reader, organizations: [...organizations].sort() }))
      .sort((a, b) => (a.reader < b.reader ? -1 : 1));
    const last = await lastReaders(this.#service.dataDir, this.#orgId);
    const before: unknown = last === null ? [] : JSON.parse(last).readers;
    if (JSON.stringify(before) !== JSON.stringify(readers)) {
      await this.#agent.submit({ operationType: READERS, subject: 'archive', action: 'set', payload: { readers } });
    }
    await this.#service.archive.open({ from, engine, grants });
  }

  /** Waits until everything that was accepted can be searched. */
  settled(): Promise<void> {
    return this.#service.archive.settled();
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}
