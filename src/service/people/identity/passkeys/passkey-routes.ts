import type { Handlers } from '../../../http/handler.ts';
import { ServiceError } from '../../../store/base/service-error.ts';
import type { WriteAccess } from '../../../store/write-access.ts';
import { createSession } from '../tokens.ts';
import type { Ceremonies } from './ceremonies.ts';
import { addPasskey, changePasskey, removePasskey } from './passkeys.ts';

interface PasskeyDeps extends WriteAccess {
  readonly ceremonies: Ceremonies;
}

/** Passkeys: added and removed by their users, and signing in with them. */
export function passkeyRoutes(context: PasskeyDeps) {
  const { writer, now, ceremonies } = context;
  return {
    passkeyCreation: async ({ caller }) => {
      return { body: { options: await ceremonies.beginToAdd(caller.userId) } };
    },

    addPasskey: async ({ caller, body: { name, use, response } }) => {
      const credential = await ceremonies.added(caller.userId, response);
      // A crash after it leaves the passkey added: the authenticator has it, and it is listed.
      const passkey = await writer.transact((store) => addPasskey(store, caller, { name, use, ...credential }, now()));
      return { body: { passkey } };
    },

    changePasskey: async ({ caller, body, param }) => {
      const id = param('passkey_id');
      return { body: { passkey: await writer.transact((store) => changePasskey(store, caller, id, body, now())) } };
    },

    removePasskey: async ({ caller, param }) => {
      await writer.transact((store) => removePasskey(store, caller, param('passkey_id'), now()));
      return { body: { success: true } };
    },

    passkeyOptions: async ({ body: { step } }) => {
      if (step === undefined) return { body: { options: await ceremonies.beginToSign({ kind: 'alone' }) } };
      const userId = ceremonies.steps.look(step);
      if (userId === null) throw stepIsGone();
      return { body: { options: await ceremonies.beginToSign({ kind: 'step', userId }) } };
    },

    passkeySignIn: async ({ body: { step, response }, credentials: { page } }) => {
      const waiting = step === undefined ? null : ceremonies.steps.look(step);
      if (step !== undefined && waiting === null) throw stepIsGone();
      const { userId } = await ceremonies.signed(response, (purpose, passkey) =>
        waiting === null
          ? purpose.kind === 'alone' && passkey.use === 'alone'
          : purpose.kind === 'step' && purpose.userId === waiting && passkey.userId === waiting,
      );
      if (step !== undefined && ceremonies.steps.take(step) === null) throw stepIsGone();
      // A crash after it leaves a session whose token was never delivered, until it expires.
      const token = await writer.transact((store) => createSession(store, userId, page, now()));
      return { body: { token }, sessionToken: token };
    },
  } satisfies Partial<Handlers>;
}

function stepIsGone(): ServiceError {
  return new ServiceError('UNAUTHORIZED', 'step: the sign-in has taken too long or is done; enter the password again');
}
