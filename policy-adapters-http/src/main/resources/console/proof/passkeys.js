/** What a person signed with a passkey (docs/verify.md), checked on WebCrypto with what the chain says alone. */
import { canonical, digest, fromBase64Url, insist, isObject, isOf, readStrictly, sha256, thumbprint, without } from './canonical.js';

const COORDINATE = 32;
const ALGORITHMS = {
  ES256: { numbers: ['x', 'y'], of: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } },
  EdDSA: { numbers: ['x'], of: { name: 'Ed25519' } },
  RS256: { numbers: ['n', 'e'], of: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } },
};

/** The points of small order, with which anybody can sign, and encodings of numbers that are not below the prime. */
const WEAK_ED25519 = new RegExp('^(?:0[01](?:00){30}[08]0|26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc[08]5'
  + '|c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03[7f]a|(?:e[c-f]|f.)(?:ff){30}[7f]f)$');

/** Whether the numbers of a key are those that a passkey may have, but for its point on P-256, which importing checks. */
function fits(alg, first, second) {
  if (alg === 'EdDSA') return first?.length === 32 && !WEAK_ED25519.test(Array.from(first, (byte) => byte.toString(16).padStart(2, '0')).join(''));
  if (alg === 'ES256') return first?.length === 32 && second?.length === 32;
  const areOdd = [first, second].every((number) => number?.length > 0 && number[0] > 0 && (number.at(-1) & 1) === 1);
  return areOdd && first.length >= 256 && first.length <= 512 && (first.length > 256 || first[0] > 127)
    && second.length <= 4 && (second.length > 1 || second[0] > 1);
}

/** The public key of a passkey; null when its JWK is not one of the three kinds. */
async function passkey(payload) {
  const { publicKey: jwk, rpId } = payload;
  if (!isOf('passkey', payload) || typeof jwk.alg !== 'string' || !Object.hasOwn(ALGORITHMS, jwk.alg) || !isOf(jwk.alg, jwk)) return null;
  const { numbers, of } = ALGORITHMS[jwk.alg];
  if (!fits(jwk.alg, ...numbers.map((name) => fromBase64Url(jwk[name])))) return null;
  try {
    return { rpId, of, key: await crypto.subtle.importKey('jwk', without(jwk, 'alg'), of, false, ['verify']) };
  } catch {
    return null;
  }
}

/** A DER sequence of two numbers as WebCrypto wants an ECDSA signature, 32 bytes each; null for anything else. */
function fixedLength(der) {
  const joined = new Uint8Array(2 * COORDINATE);
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null;
  let at = 2;
  for (let i = 1; i <= 2; i++) {
    if (der[at] !== 2 || at + 2 + der[at + 1] > der.length) return null;
    const number = der.slice(at + 2, at + 2 + der[at + 1]);
    const bytes = number[0] === 0 ? number.slice(1) : number;
    const isPadded = number[0] === 0 && number.length > 1 && number[1] < 128;
    if (number.length === 0 || number[0] > 127 || isPadded || bytes.length > COORDINATE) return null;
    joined.set(bytes, i * COORDINATE - bytes.length);
    at += 2 + der[at + 1];
  }
  return at === der.length ? joined : null;
}

function read(bytes) {
  try {
    return readStrictly(bytes);
  } catch {
    return null;
  }
}

const isSame = (left, right) => left.length === right.length && left.every((byte, i) => byte === right[i]);

/** Why an assertion is no signature of a verified user over a challenge; null if it is one. */
async function refused(assertion, { rpId, of, key }, challenge) {
  const [authenticator, client, signature] = [assertion.authenticatorData, assertion.clientDataJSON, assertion.signature].map(fromBase64Url);
  const said = read(client);
  if (authenticator.length < 37 || !isOf('client', said)) return 'it cannot be read';
  if (said.type !== 'webauthn.get') return 'it is no assertion';
  if (said.challenge !== challenge) return 'it is for another challenge';
  if (said.crossOrigin === true || !isOf('origin', said.origin) || said.origin.split(/:\/\/|:/)[1] !== rpId) return 'it was made at another origin';
  if (!isSame(await digest(new TextEncoder().encode(rpId)), authenticator.slice(0, 32))) return 'it was made for another relying party';
  if ((authenticator[32] & 5) !== 5) return 'the authenticator did not verify the user';
  const message = new Uint8Array([...authenticator, ...await digest(client)]);
  const raw = of.name === 'ECDSA' ? fixedLength(signature) : signature;
  return raw !== null && await crypto.subtle.verify(of, key, raw, message) ? null : 'its signature is wrong';
}

/** The acceptances and changes that a person signed. In a chain that is continued, what they refer to may be unknown. */
export class Signatures {
  /** The requests whose acceptance was signed. */
  requests = [];
  /** The versions of the policy that were signed. */
  versions = [];
  /** The number of signatures that could not be checked. */
  unchecked = 0;
  #passkeys = new Map();
  #revoked = new Map();
  #proposals = new Map();
  #erased = new Set();
  #used = new Set();
  #isWhole;
  #areKeysKnown;

  constructor(isWhole) {
    this.#isWhole = isWhole;
    this.#areKeysKnown = isWhole;
  }

  /** Reads a row that is verified. */
  async row(row) {
    const { payload, eventType } = row;
    const isKey = eventType.startsWith('key.');
    if (payload === null) {
      if (isKey) this.#areKeysKnown = false;
      if (eventType === 'guardrail.decision') this.#erased.add(row.hash);
    } else if (isKey && payload.keyClass === 'passkey') {
      await this.#key(row);
    } else if (eventType.startsWith('ips.') && Object.hasOwn(payload, 'confirmation')) {
      await this.#change(row);
    } else if (eventType === 'guardrail.decision') {
      if (payload.kind === 'propose' && isOf('count', payload.serviceRequestId)) {
        this.#proposals.set(payload.serviceRequestId, row.hash);
      }
      const answer = payload.attestation;
      if (isObject(answer) && (Object.hasOwn(answer, 'attested') || Object.hasOwn(answer, 'passkey'))) await this.#acceptance(row);
    }
  }

  async #key({ payload, eventType, createdAt }) {
    const id = payload.credentialId;
    insist(isOf('credential', payload), 'the passkey is malformed');
    if (eventType === 'key.revoked') {
      const known = this.#passkeys.get(id);
      insist(known || !this.#areKeysKnown, 'a passkey is revoked that was never minted');
      this.#passkeys.delete(id);
      if (known) this.#revoked.set(id, { known, at: createdAt });
      return;
    }
    const minted = eventType === 'key.minted' ? await passkey(payload) : null;
    insist(minted !== null, 'the passkey is malformed');
    insist(!this.#passkeys.has(id), 'the passkey is minted a second time');
    this.#passkeys.set(id, minted);
  }

  async #acceptance({ payload, userId, createdAt }) {
    const { attested, passkey: assertion } = payload.attestation;
    insist(payload.kind === 'attestation' && isOf('accepted', payload.attestation), 'the signature of the passkey is malformed');
    const request = (attested.requests ?? [attested]).find((each) => each.serviceRequestId === payload.serviceRequestId);
    insist(attested.userId === userId && request
      && isObject(payload.trade) && canonical(request.trade) === canonical(payload.trade) && createdAt < attested.expiresAt
      && (payload.ipsVersion === null || attested.ipsVersion === payload.ipsVersion),
    'the passkey signed something else than is recorded');
    const challenge = await this.#challenge('attestation', attested, request.serviceRequestId);
    const proposal = this.#proposals.get(request.serviceRequestId);
    const isErased = this.#erased.has(request.decisionHash);
    insist(proposal === undefined ? !this.#isWhole || isErased : proposal === request.decisionHash,
      'the passkey signed another decision than that of the proposal');
    const known = this.#passkeys.get(assertion.credentialId);
    insist(known || !this.#areKeysKnown, 'the acceptance is signed with a passkey that this chain does not have at that time');
    if (!known || (proposal === undefined && !isErased)) {
      this.unchecked++;
      return;
    }
    const why = await refused(assertion, known, challenge);
    insist(why === null, `the acceptance is not signed by its passkey: ${why}`);
    this.requests.push(request.serviceRequestId);
  }

  async #change({ payload, userId, createdAt }) {
    insist(isOf('confirmed', payload), 'the signature of the passkey is malformed');
    const { confirmation: { attested, passkey: assertion }, scheduledAt = null } = payload;
    const document = canonical(without(payload.document, 'approvals', 'paused', 'drawdownSince'));
    insist(attested.userId === userId && attested.documentHash === await sha256(document)
      && (attested.previousIpsVersion ?? 0) <= (payload.previousIpsVersion ?? 0) && (scheduledAt ?? createdAt) < attested.expiresAt,
    'the passkey signed another change than is recorded');
    const challenge = await this.#challenge('change', attested);
    const revoked = this.#revoked.get(assertion.credentialId);
    const known = this.#passkeys.get(assertion.credentialId) ?? (scheduledAt !== null && revoked?.at >= scheduledAt ? revoked.known : undefined);
    insist(known || !this.#areKeysKnown, 'the change is signed with a passkey that this chain does not have at that time');
    if (!known) {
      this.unchecked++;
      return;
    }
    const why = await refused(assertion, known, challenge);
    insist(why === null, `the change is not signed by its passkey: ${why}`);
    this.versions.push(payload.ipsVersion);
  }

  async #challenge(what, attested, of = '') {
    const challenge = await thumbprint(`agent-policy/${what}/v1\n${canonical(attested)}`);
    insist(!this.#used.has(`${challenge} ${of}`), 'the signature of the passkey was used before');
    this.#used.add(`${challenge} ${of}`);
    return challenge;
  }
}
