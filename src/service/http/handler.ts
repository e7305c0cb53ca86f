import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { AnswerOf, ROUTES, Role, RouteName } from '../../api/index.ts';
import type { Authenticated, Caller } from './caller.ts';
import type { Credentials } from './credentials.ts';

/** A caller whose role was checked, and who therefore is of an organization. */
export interface Member extends Caller {
  readonly orgId: string;
  readonly role: Role;
}

/** With a workstation session there may be nobody who signed in. */
type CallerOf<Access> = Access extends 'public'
  ? null
  : Access extends 'authenticated'
    ? Caller
    : Access extends 'workstation'
      ? Member | null
      : Member;

/** A body as it came. */
export interface RawBody<Parsed> {
  readonly bytes: Uint8Array;
  /** The body as other handlers get theirs. @throws ServiceError VALIDATION_ERROR */
  readonly parsed: () => Parsed;
}

export type BodyOf<R> = R extends { body: infer Schema extends z.ZodType }
  ? R extends { raw: true }
    ? RawBody<z.output<Schema>>
    : z.output<Schema>
  : undefined;

/** A request as a handler gets it: parsed, and its caller allowed. */
export interface Call<N extends RouteName> {
  /** Path parameters, by name, decoded. */
  readonly param: (name: string) => string;
  readonly body: BodyOf<(typeof ROUTES)[N]>;
  readonly query: z.output<(typeof ROUTES)[N]['query']>;
  readonly caller: CallerOf<(typeof ROUTES)[N]['access']>;
  /** Whether the browser has a workstation session. */
  readonly workstation: boolean;
  /** For routes that take a file: the body as it arrives. */
  readonly upload: () => IncomingMessage;
  /** The peer's address. */
  readonly address: string;
  /** The bearer token or session cookie of the request, for calls that end or replace it. */
  readonly token: string | null;
  /** All that the request says of who makes it; `credentials.page` is the page that a session begun now is bound to. */
  readonly credentials: Credentials;
  /** The state of the sign-in at a provider that this browser began last, from its cookie. */
  readonly flowState: string | null;
  /** Whether a browser says that a page of this service leads here: no page elsewhere can make it say so. */
  readonly fromOwnPage: boolean;
  readonly requestId: string;
  /** Aborted once nobody waits for the answer, or it took too long: for what is up to how much is asked. One for each request. */
  readonly signal: () => AbortSignal;
  /** The same for an answer that is a file made for it, however long that takes. */
  readonly waits: () => AbortSignal;
  /** Where this connection reached the service: scheme, IP address and port. */
  readonly reachedAt: () => string;
  /**
   * For routes open to everybody: who the caller is where credentials came along, else null.
   * @throws ServiceError UNAUTHORIZED where they are no good
   */
  readonly authenticate: () => Authenticated | null;
}

/** Whose records a request asks about, and until when. */
export function readerOf({ caller, signal }: { readonly caller: Member; readonly signal: () => AbortSignal }): {
  readonly orgId: string;
  readonly signal: AbortSignal;
} {
  return { orgId: caller.orgId, signal: signal() };
}

/** What a handler answers; `status` where it differs from the route's. */
export interface Answer<Body = unknown> {
  readonly body: Body;
  readonly status?: number;
  /** How many records the caller's ledger has sealed: what they kept is held against it. */
  readonly logSize?: number | null;
  /** A session token that the browser is to keep in its cookie; null takes the cookie away. */
  readonly sessionToken?: string | null;
  /** The secret of a workstation session, for its cookie. */
  readonly workstationToken?: string;
  /** The state of a sign-in at a provider, for the cookie that ties it to this browser. */
  readonly flowState?: string;
}

/** Routes whose JSON is there as text already, perhaps a large one: it goes out as it is. */
type TextRoute = 'caseReport' | 'caseCoherence' | 'itemJudgement' | 'custody' | 'retentionCertificate' | 'openApi';
export interface TextAnswer {
  /** Or its bytes in UTF-8, where the same ones go to many: they are sent without a copy. */
  readonly jsonText: string | Buffer;
}

/** An answer that is plain text. */
export interface PlainTextAnswer {
  readonly plainText: string;
}

/** An answer that is a file to be saved. */
export interface FileAnswer {
  readonly file: string;
  readonly fileName: string;
  readonly contentType: string;
  /** The file goes compressed with gzip: as a compressed file, or on the way only, where the caller takes that. */
  readonly compress?: 'file' | 'transfer';
  /** The file was made for this answer alone: it goes once it was sent. */
  readonly temporary?: boolean;
}

/** An answer that is a small file to be saved, held in memory. */
export interface ContentAnswer {
  readonly content: Uint8Array;
  readonly fileName: string;
  readonly contentType: string;
}

/** An answer that sends the browser elsewhere, signed in where there is a session token. */
export interface RedirectAnswer {
  readonly location: string;
  readonly sessionToken?: string;
  /** null takes the cookie of the sign-in at a provider away. */
  readonly flowState?: null;
  /** What to ask the person on a page first: whoever agrees goes to `location` from there. */
  readonly question?: string;
}

export type AnswerTo<N extends RouteName> = (typeof ROUTES)[N]['answer'] extends 'file'
  ? FileAnswer | ContentAnswer
  : (typeof ROUTES)[N]['answer'] extends 'redirect'
    ? RedirectAnswer
    : (typeof ROUTES)[N]['answer'] extends 'text'
      ? PlainTextAnswer
      : N extends TextRoute
        ? TextAnswer
        : Answer<AnswerOf<N>>;

export type Handler<N extends RouteName> = (call: Call<N>) => AnswerTo<N> | Promise<AnswerTo<N>>;

/** A handler for every route of the interface, and for nothing else. */
export type Handlers = { readonly [N in RouteName]: Handler<N> };
