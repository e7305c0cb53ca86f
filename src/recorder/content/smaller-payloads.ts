import { contentDigest } from '../../actions/profile/light.ts';
import { nodeCrypto } from '../../node/light.ts';
import { canonicalBytes, isMembers, type Json } from '../../protocol/light.ts';

type Members = { readonly [member: string]: Json };

/**
 * The same payload in less and less room, for one that is larger than the service takes: each part is within its own bound, and all of
 * them together need not be. First to go are the places of what was replaced, of which the members stay; then what further witnesses
 * saw, the output, the input and what was told, of which the digests stay.
 */
export function* smallerPayloads(payload: Members): Generator<Members> {
  let smaller = payload;
  for (const step of [
    withShortPlaces,
    withDigestsOfWitnesses,
    withDigestOf('output'),
    withDigestOf('input'),
    withDigestsOfTold,
  ]) {
    smaller = step(smaller);
    yield smaller;
  }
}

/** Of what was replaced, in which member it was. */
function withShortPlaces(payload: Members): Members {
  const { redactions } = payload;
  if (!Array.isArray(redactions)) return payload;
  const places = redactions
    .filter((one: Json) => isMembers(one))
    .map(({ at, type }) => ({ at: `/${String(at).split('/')[1]}`, type: type ?? null }));
  const met = new Map(places.map((place) => [JSON.stringify(place), place]));
  return { ...payload, redactions: [...met.values()] };
}

function withDigestsOfWitnesses(payload: Members): Members {
  const { witnesses } = payload;
  if (!Array.isArray(witnesses)) return payload;
  const shorter = witnesses.map((one: Json) =>
    isMembers(one) ? withDigestOf('output')(withDigestOf('input')(one)) : one,
  );
  return { ...payload, witnesses: shorter };
}

function withDigestsOfTold(payload: Members): Members {
  const { told } = payload;
  if (!Array.isArray(told)) return payload;
  return { ...payload, told: told.map((one: Json) => (isMembers(one) ? withDigestOf('content')(one) : one)) };
}

function withDigestOf(name: string): (members: Members) => Members {
  return (members) => {
    const content = members[name];
    return isMembers(content) ? { ...members, [name]: digestOf(content) } : members;
  };
}

/** As `contentOf` has what is not kept: without the salt, so that a short value cannot be found by trial. */
function digestOf(content: Members): Members {
  const { value, salt, truncated: _, digest, bytes, ...form } = content;
  if (value === undefined || typeof salt !== 'string') return content;
  return {
    digest: digest ?? contentDigest(salt, value, nodeCrypto.sha256),
    bytes: bytes ?? canonicalBytes(value).length,
    ...form,
  };
}
