#!/usr/bin/env node
// Verifies a chain of signed events with public data only; needs nothing but Node 18. See docs/verify.md.
//
//   node verify.mjs events.json... signing-keys.json [options]
//
// events.json: a page of GET /api/agent/v1/policy/events?order=asc, an array of such pages in order, or an array of rows.
// --purpose event|sandbox     which keys may sign the chain (event)
// --pin KID                   the key that must have signed the first row
// --anchor KID                the key that must have signed the manifest, or vouched for the one that did
// --root KID                  the root key; no emergency rotation holds without it
// --save FILE                 keep there where this ended and the keys it trusted, and go on from it the next time
// --from SEQ,HASH,KID,TIME    the last row of an earlier verification, given by hand
// --receipt SEQ:HASH          a row the service once named; may be repeated
// --receipts FILE             the same from a file, one a line
// --head FILE                 a signed head you kept; may be repeated
// --issued-since TIME         the oldest head that is fresh enough, written YYYY-MM-DDTHH:MM:SS.ffffffZ
//
// Exit code 0: the chain holds. 1: it is broken. 2: no verdict. 3: it holds, and some payloads were erased.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

class Broken extends Error {}
class NoVerdict extends Error {}
const require = (condition, why, seq) => { if (!condition) throw Object.assign(new Broken(why), { seq }); };
const isObject = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);
const hex = (text) => createHash('sha256').update(text, 'utf8').digest('hex');
const has = (object, names) => Object.keys(object).sort().join() === [...names].sort().join();
const is = (form, value) => typeof value === 'string' && form.test(value);
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const HEX = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const KEY_ID = /^[A-Za-z0-9_-]{43}$/;
const KINDS = ['ips.created', 'ips.amended', 'key.minted', 'key.revoked', 'key.rotated', 'guardrail.decision',
  'policy.drift_detected', 'policy.drift_cleared', 'broker.trade_observed', 'signing_key.rotated'];
const ROW = ['v', 'userId', 'seq', 'eventId', 'eventType', 'createdAt', 'payload', 'payloadHash', 'prevHash',
  'signingKeyId', 'hash', 'signature'];
const HEAD = ['v', 'userId', 'seq', 'hash', 'issuedAt', 'signingKeyId', 'signature'];
const ERASURE = ['userId', 'hash', 'erasedAt', 'reason', 'signingKeyId', 'signature'];
const ERASABLE_ALONE = ['guardrail.decision', 'policy.drift_detected', 'policy.drift_cleared', 'broker.trade_observed'];

/** Bytes of base64url that has one text only. */
function bytes(text, length) {
  const decoded = typeof text === 'string' ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
  return decoded.length === length && decoded.toString('base64url') === text ? decoded : null;
}

/** RFC 8785 in the profile of the documentation; throws outside of it. */
function canonical(value, depth = 0) {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    require(Number.isSafeInteger(value), 'a number is not an integer of at most 2^53-1');
    return String(value === 0 ? 0 : value);
  }
  if (typeof value === 'string') {
    require(!/[\u0000-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value),
      'a text has control characters or broken Unicode');
    return JSON.stringify(value);
  }
  require(depth < 8, 'the payload nests too deep');
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  return `{${Object.keys(value).sort().map((name) => {
    require(/^[A-Za-z][A-Za-z0-9_]*$/.test(name), 'a member name is not allowed');
    return `"${name}":${canonical(value[name], depth + 1)}`;
  }).join()}}`;
}

/** JSON.parse that refuses broken UTF-8 and a member that comes twice, which JSON.parse would hide. */
function read(file) {
  let text;
  let document;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
    document = JSON.parse(text);
  } catch (error) {
    throw new NoVerdict(`${file} cannot be read: ${error.message}`);
  }
  const open = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token.endsWith(':')) {
      const name = JSON.parse(token.slice(0, -1));
      require(!open.at(-1).has(name), `the member ${JSON.stringify(name)} comes twice in ${file}`);
      open.at(-1).add(name);
    }
  }
  return document;
}

function signed(key, message, signature) {
  const raw = bytes(signature, 64);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x };
  return raw !== null && verify(null, Buffer.from(message, 'utf8'), createPublicKey({ key: jwk, format: 'jwk' }), raw);
}

const without = (object, ...names) => Object.fromEntries(Object.entries(object).filter(([n]) => !names.includes(n)));
const isLost = (key) => key.revocationReason === 'compromise';
const isBeforeTheft = (key, time) => !isLost(key) || (is(TIME, key.compromisedSince) && time <= key.compromisedSince);

/** Whether one key vouches for another. */
function vouches(voucher, key, signature) {
  const { kid, x, purpose, validFrom } = key;
  return signed(voucher, `agent-policy/key/v1\n${canonical({ kid, x, purpose, validFrom })}`, signature);
}

/** The keys of a manifest by their ids, each of which is that of its key. */
function byId(manifest) {
  const all = new Map();
  require(isObject(manifest) && isCount(manifest.manifestVersion) && Array.isArray(manifest.keys) && manifest.keys.every(isObject),
    'the manifest is malformed');
  for (const key of manifest.keys) {
    const jwk = `{"crv":"Ed25519","kty":"OKP","x":${JSON.stringify(key.x)}}`;
    require(bytes(key.x, 32) !== null && key.kty === 'OKP' && key.crv === 'Ed25519'
      && createHash('sha256').update(jwk).digest('base64url') === key.kid, `the key ${is(KEY_ID, key.kid) ? key.kid : '-'} is not the one its id names`);
    require(!all.has(key.kid), `the key ${key.kid} is listed twice`);
    all.set(key.kid, key);
  }
  return all;
}

/** The known key that vouches for an anchor key, itself or through anchor keys in between. */
function voucherOf(kid, all, known) {
  const vouched = new Map([known.anchor, known.root].filter(Boolean).map((id) => [id, id]));
  const mayVouch = (key) => key && ['anchor', 'root'].includes(key.purpose) && key.status !== 'revoked';
  for (let before = 0; before < vouched.size;) {
    before = vouched.size;
    for (const key of all.values()) {
      if (key.purpose !== 'anchor' || vouched.has(key.kid)) continue;
      const by = (key.attestations ?? []).find(({ byKeyId, signature }) => vouched.has(byKeyId)
        && mayVouch(all.get(byKeyId)) && vouches(all.get(byKeyId), key, signature));
      if (by) vouched.set(key.kid, vouched.get(by.byKeyId));
    }
  }
  return vouched.get(kid);
}

/** Holds the manifest's signature against what is known; what a key is for is taken from a signed manifest only. */
function readKeys(manifest, known, purpose, trust) {
  const all = byId(manifest);
  require(manifest.signature, 'the manifest is not signed');
  const { keyId, value } = manifest.signature;
  const key = all.get(keyId);
  require(key && ['anchor', 'root'].includes(key.purpose) && key.status !== 'revoked'
    && signed(key, `agent-policy/manifest/v1\n${canonical(without(manifest, 'signature'))}`, value),
  'the manifest is not signed by its anchor or root key');
  if (keyId !== known.anchor && keyId !== known.root) {
    const voucher = voucherOf(keyId, all, known);
    require(voucher || (!known.anchor && key.purpose === 'anchor'),
      'the manifest is signed by another key than the anchor key that is known');
    trust.add(voucher ? `attested by ${voucher}` : 'trusted on first use', `anchor key ${keyId}`);
  }
  const signer = (kid) => (all.get(kid)?.purpose === purpose ? all.get(kid) : undefined);
  const attested = (of, voucher) => Boolean(voucher) && !isLost(voucher)
    && (of.attestations ?? []).some((a) => a.byKeyId === voucher.kid && vouches(voucher, of, a.signature));
  const root = all.get(known.root)?.purpose === 'root' ? all.get(known.root) : undefined;
  const byRoot = (of) => attested(of, root);
  const byKey = (of, kid) => attested(of, signer(kid));
  return { signer, byRoot, byKey, hasRoot: Boolean(known.root), anchor: keyId === known.root ? known.anchor : keyId };
}

function contents(row, at) {
  require(isObject(row) && has(row, ROW), 'the row does not have exactly the members of a row');
  require(row.v === 1, 'the row is of another version');
  require(is(UUID, row.userId) && is(UUID, row.eventId) && KINDS.includes(row.eventType) && is(TIME, row.createdAt)
    && [row.payloadHash, row.prevHash, row.hash].every((h) => is(HEX, h)) && isCount(row.seq)
    && bytes(row.signingKeyId, 32) && bytes(row.signature, 64), 'a member of the row is malformed');
  require(row.userId === (at.userId ?? row.userId), 'the row belongs to another user');
  require(row.seq === at.seq + 1, `the row should be number ${at.seq + 1}`);
  require(row.prevHash === at.hash, 'the row does not follow the row before it');
  require(row.createdAt >= at.time, 'the row is older than the row before it');
  if (row.payload !== null) {
    require(isObject(row.payload), 'the payload is no object');
    const payload = canonical(row.payload);
    require(Buffer.byteLength(payload) <= 65536, 'the payload is too large');
    require(hex(`agent-policy/payload/v1\n${payload}`) === row.payloadHash, 'the payload does not have its hash');
  }
  const header = canonical(without(row, 'payload', 'hash', 'signature'));
  require(hex(`agent-policy/event/v1\n${header}`) === row.hash, 'the row does not have its hash');
}

function rotation(row, at, keys) {
  const p = row.payload;
  const old = at.kid ?? p?.oldKeyId;
  require(p !== null && p.oldKeyId === old, 'the key rotation is not from the key that signed so far');
  require(p.reason === 'scheduled' || (p.reason === 'compromise' && isCount(p.trustedThroughSeq)),
    'the key rotation is malformed');
  const next = keys.signer(p.newKeyId);
  require(next && next.x === p.newPublicKey, 'the new key is not in the manifest for this kind of chain');
  const proof = `agent-policy/key-proof/v1\n${row.userId}\n${old}\n${p.newKeyId}\n${row.prevHash}\n`;
  require(signed(next, proof, p.newKeyProof), 'the new key is not proven to be in the hands of the service');
  if (p.reason === 'compromise') {
    require(keys.hasRoot, 'the key rotation is an emergency, and no root key was given to vouch for it');
    require(!isLost(next) && keys.byRoot(next), 'the new key of an emergency is not attested by the root key that was given');
  }
  return p;
}

/** Whether an entry explains why a row has no payload: of its user, place, hash and kind, and signed before any theft. */
function explains(entry, row, keys) {
  const name = isObject(entry) && 'throughSeq' in entry ? 'throughSeq' : 'seq';
  if (!isObject(entry) || !has(entry, [...ERASURE, name]) || !isCount(entry[name]) || !is(HEX, entry.hash)
    || !is(TIME, entry.erasedAt) || typeof entry.reason !== 'string' || !/^.{1,500}$/su.test(entry.reason)) return false;
  const covers = name === 'seq' ? entry.seq === row.seq && ERASABLE_ALONE.includes(row.eventType)
    : entry.throughSeq >= row.seq && row.eventType !== 'signing_key.rotated';
  const key = keys.signer(entry.signingKeyId);
  return entry.userId === row.userId && covers && (entry[name] > row.seq || entry.hash === row.hash)
    && key !== undefined && isBeforeTheft(key, entry.erasedAt)
    && signed(key, `agent-policy/erasure/v1\n${canonical(without(entry, 'signingKeyId', 'signature'))}`, entry.signature);
}

/** A row without a payload needs a signed erasure; what that still owes is settled where the chain ends. */
function erased(row, entries, keys, erasures) {
  require((erasures.ends.get(row.seq) ?? row.hash) === row.hash, 'the row is not the one that an erasure names');
  erasures.ends.delete(row.seq);
  if (row.payload !== null) return;
  const entry = entries.find((each) => explains(each, row, keys));
  require(entry, 'the payload is missing, and no signed erasure explains it');
  erasures.count++;
  if (!erasures.signers.has(entry.signingKeyId)) erasures.signers.set(entry.signingKeyId, row.seq);
  if (entry.throughSeq > row.seq) {
    require((erasures.ends.get(entry.throughSeq) ?? entry.hash) === entry.hash, 'two erasures name two rows for one place');
    erasures.ends.set(entry.throughSeq, entry.hash);
  }
}

function step(row, at, keys) {
  contents(row, at);
  const rotated = row.eventType === 'signing_key.rotated' ? rotation(row, at, keys) : null;
  const isEmergency = rotated?.reason === 'compromise';
  const expected = isEmergency ? rotated.newKeyId : (at.kid ?? row.signingKeyId);
  require(row.signingKeyId === expected, 'the row is signed by another key than the chain expects');
  const signer = keys.signer(expected);
  require(signer, 'the key that signed is not in the manifest for this kind of chain');
  require(signed(signer, `agent-policy/event-sig/v1\n${row.hash}\n`, row.signature), 'the signature does not verify');
  let doubt = at.doubt || (isLost(signer) ? row.seq : 0);
  if (isEmergency) {
    require(rotated.trustedThroughSeq >= at.seq, 'the operator does not vouch for this row of a compromised key',
      rotated.trustedThroughSeq + 1);
    doubt = 0;
  } else if (rotated) {
    const since = keys.signer(rotated.oldKeyId).compromisedSince;
    if (is(TIME, since) && row.createdAt <= since && !isLost(keys.signer(rotated.newKeyId))) doubt = 0;
  }
  return { userId: row.userId, seq: row.seq, hash: row.hash, kid: rotated?.newKeyId ?? expected, time: row.createdAt, doubt };
}

const ORIGIN = /^(?:https:\/\/([^/:?#@]+)(?::[0-9]+)?|http:\/\/(localhost)(?::[0-9]+)?)$/;
const PASSKEYS = { ES256: ['EC', 'P-256', 'x', 'y'], EdDSA: ['OKP', 'Ed25519', 'x'], RS256: ['RSA', undefined, 'n', 'e'] };
const ATTESTED = ['userId', 'serviceRequestId', 'trade', 'custodian', 'ipsVersion', 'portfolioRevision', 'decisionHash',
  'expiresAt', 'nonce'];
const SIGNED = ['credentialId', 'authenticatorData', 'clientDataJSON', 'signature'];

/** Bytes of base64url of any length that has one text only. */
function anyBytes(text) {
  const decoded = typeof text === 'string' ? Buffer.from(text, 'base64url') : null;
  return decoded !== null && decoded.toString('base64url') === text ? decoded : null;
}

/** The points of small order, with which anybody can sign, and encodings of numbers that are not below the prime. */
const WEAK_ED25519 = new RegExp('^(?:0[01](?:00){30}[08]0|26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc[08]5'
  + '|c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03[7f]a|(?:e[c-f]|f.)(?:ff){30}[7f]f)$');

/** Whether the numbers of a key are those that a passkey may have, but for its point on P-256, which importing checks. */
function fits(alg, first, second) {
  if (alg === 'EdDSA') return first?.length === 32 && !WEAK_ED25519.test(first.toString('hex'));
  if (alg === 'ES256') return first?.length === 32 && second?.length === 32;
  const areOdd = [first, second].every((number) => number?.length > 0 && number[0] > 0 && (number.at(-1) & 1) === 1);
  return areOdd && first.length >= 256 && first.length <= 512 && (first.length > 256 || first[0] > 127)
    && second.length <= 4 && (second.length > 1 || second[0] > 1);
}

/** The public key of a passkey; null when its JWK is not one of the three kinds. */
function passkey({ publicKey: jwk, rpId }) {
  const [kty, crv, ...numbers] = isObject(jwk) && Object.hasOwn(PASSKEYS, jwk.alg) ? PASSKEYS[jwk.alg] : [];
  if (!kty || jwk.kty !== kty || jwk.crv !== crv || typeof rpId !== 'string') return null;
  if (!fits(jwk.alg, ...numbers.map((name) => anyBytes(jwk[name])))) return null;
  const members = { kty, ...(crv && { crv }), ...Object.fromEntries(numbers.map((name) => [name, jwk[name]])) };
  try {
    return { rpId, digest: jwk.alg === 'EdDSA' ? null : 'sha256', key: createPublicKey({ key: members, format: 'jwk' }) };
  } catch {
    return null;
  }
}

/** Why an assertion is no signature of a verified user over a challenge; null if it is one. */
function refused(assertion, { rpId, digest, key }, challenge) {
  const [authenticator, client, signature] = [assertion.authenticatorData, assertion.clientDataJSON, assertion.signature].map(anyBytes);
  let said = null;
  try {
    said = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(client));
  } catch { /* said stays null */ }
  const isReadable = isObject(said) && typeof (said.crossOrigin ?? false) === 'boolean';
  if (authenticator === null || authenticator.length < 37 || signature === null || !isReadable) return 'it cannot be read';
  if (said.type !== 'webauthn.get') return 'it is no assertion';
  if (said.challenge !== challenge) return 'it is for another challenge';
  const host = typeof said.origin === 'string' ? ORIGIN.exec(said.origin) : null;
  if (said.crossOrigin === true || (host?.[1] ?? host?.[2]) !== rpId) return 'it was made at another origin';
  if (!createHash('sha256').update(rpId, 'utf8').digest().equals(authenticator.subarray(0, 32))) return 'it was made for another relying party';
  if ((authenticator[32] & 5) !== 5) return 'the authenticator did not verify the user';
  const message = Buffer.concat([authenticator, createHash('sha256').update(client).digest()]);
  return verify(digest, message, key, signature) ? null : 'its signature is wrong';
}

/** Whether what a passkey signed has the types that it must have. */
const isAttested = (it) => isObject(it) && has(it, ATTESTED) && is(UUID, it.userId) && isCount(it.serviceRequestId)
  && isObject(it.trade) && (it.custodian === null || typeof it.custodian === 'string')
  && (it.ipsVersion === null || isCount(it.ipsVersion)) && isCount(it.portfolioRevision) && is(HEX, it.decisionHash)
  && is(TIME, it.expiresAt) && typeof it.nonce === 'string';

/** The acceptances that a person signed with a passkey. In a chain that is continued, what they refer to may be unknown. */
class Acceptances {
  signed = [];
  unchecked = 0;
  #passkeys = new Map();
  #proposals = new Map();
  #erased = new Set();
  #used = new Set();
  #isWhole;
  #areKeysKnown;

  constructor(isWhole) {
    this.#isWhole = isWhole;
    this.#areKeysKnown = isWhole;
  }

  row(row) {
    const { payload, eventType } = row;
    const isKey = eventType.startsWith('key.');
    if (payload === null) {
      if (isKey) this.#areKeysKnown = false;
      if (eventType === 'guardrail.decision') this.#erased.add(row.hash);
    } else if (isKey && payload.keyClass === 'passkey') {
      this.#key(payload, eventType);
    } else if (eventType === 'guardrail.decision') {
      if (payload.kind === 'propose' && Number.isSafeInteger(payload.serviceRequestId)) {
        this.#proposals.set(payload.serviceRequestId, row.hash);
      }
      if (payload.attestation?.attested !== undefined || payload.attestation?.passkey !== undefined) this.#acceptance(row);
    }
  }

  #key(payload, eventType) {
    const id = payload.credentialId;
    if (eventType === 'key.revoked') {
      require(this.#passkeys.delete(id) || !this.#areKeysKnown, 'a passkey is revoked that was never minted');
      return;
    }
    const minted = eventType === 'key.minted' ? passkey(payload) : null;
    require(minted !== null, 'the passkey is malformed');
    require(!this.#passkeys.has(id), 'the passkey is minted a second time');
    this.#passkeys.set(id, minted);
  }

  #acceptance({ payload, userId, createdAt }) {
    const { accepted, attested, passkey: assertion } = payload.attestation;
    require(payload.kind === 'attestation' && accepted === true && isAttested(attested) && isObject(assertion) && has(assertion, SIGNED), 'the signature of the passkey is malformed');
    require(attested.userId === userId && attested.serviceRequestId === payload.serviceRequestId
      && canonical(attested.trade) === canonical(payload.trade) && createdAt < attested.expiresAt
      && (payload.ipsVersion === null || attested.ipsVersion === payload.ipsVersion),
    'the passkey signed something else than is recorded');
    const challenge = createHash('sha256').update(`agent-policy/attestation/v1\n${canonical(attested)}`, 'utf8').digest('base64url');
    require(!this.#used.has(challenge), 'the signature of the passkey was used before');
    this.#used.add(challenge);
    const proposal = this.#proposals.get(attested.serviceRequestId);
    const isErased = this.#erased.has(attested.decisionHash);
    require(proposal === undefined ? !this.#isWhole || isErased : proposal === attested.decisionHash,
      'the passkey signed another decision than that of the proposal');
    const known = this.#passkeys.get(assertion.credentialId);
    require(known || !this.#areKeysKnown, 'the acceptance is signed with a passkey that this chain does not have at that time');
    if (!known || (proposal === undefined && !isErased)) {
      this.unchecked++;
      return;
    }
    const why = refused(assertion, known, challenge);
    require(why === null, `the acceptance is not signed by its passkey: ${why}`);
    this.signed.push(attested.serviceRequestId);
  }

  toString() {
    const more = this.signed.length > 20 ? ` and ${this.signed.length - 20} more` : '';
    const signed = this.signed.length ? `, signed by passkey: ${this.signed.slice(0, 20).join(', ')}${more}` : '';
    return this.unchecked ? `${signed}, passkey signatures not checked: ${this.unchecked}` : signed;
  }
}

const isHead = (head) => isObject(head) && has(head, HEAD) && head.v === 1 && is(UUID, head.userId)
  && isCount(head.seq) && is(HEX, head.hash) && is(TIME, head.issuedAt);

function isSignedHead(head, keys) {
  const key = keys.signer(head.signingKeyId);
  return key !== undefined
    && signed(key, `agent-policy/head/v1\n${canonical(without(head, 'signature'))}`, head.signature);
}

const isCursor = (cursor) => typeof cursor === 'string' && cursor !== '';

/** What came with a page: signed by any key of the chain, not behind the page, and as the rows turned out. */
function headOnTheWay(head, upTo, before, at, hashes, keys) {
  require(head.userId === (at.userId ?? head.userId), 'the head is that of another user');
  require(head.seq >= upTo, 'the head is behind the rows');
  require(head.hash === (hashes.get(head.seq) ?? head.hash), 'the head has another hash than the row');
  require(!before || head.seq >= before.seq || head.issuedAt < before.issuedAt,
    'the chain ends here, but a head before named a later row', head.seq + 1);
  require(isSignedHead(head, keys), 'the head is not signed by a key of this manifest');
}

/** The rows from one to another, both of which a head says there are. */
const rows = (first, last) => (first === last ? `row ${first} is` : `rows ${first} to ${last} are`);

/** The heads at the end: if no page follows the last one, every row must be there that any of them names. */
function lastHead(head, named, isEnd, at, keys, options) {
  require(!isEnd || named <= at.seq, `${rows(at.seq + 1, named)} missing, the signed head names row ${named}`, at.seq + 1);
  require(head.seq >= at.seq, 'the head is behind the rows', head.seq);
  require(head.issuedAt >= (options.issuedSince ?? ''), 'the head is too old');
  const key = keys.signer(head.signingKeyId);
  require(!isLost(key) && (!at.kid || key.kid === at.kid || keys.byKey(key, at.kid) || keys.byRoot(key)),
    'the head is not signed by the key of the chain or by one it vouches for');
}

function parse(args) {
  const options = { files: [], receipts: [], heads: [], purpose: 'event', issuedSince: '' };
  const one = { '--purpose': 'purpose', '--pin': 'pin', '--anchor': 'anchor', '--root': 'root', '--save': 'save',
    '--from': 'from', '--issued-since': 'issuedSince' };
  for (let i = 0; i < args.length; i++) {
    const value = args[i].startsWith('--') ? args[i + 1] : null;
    if (value === undefined) throw new NoVerdict(`${args[i]} needs a value`);
    if (value === null) options.files.push(args[i]);
    else if (args[i] in one) options[one[args[i]]] = value;
    else if (args[i] === '--receipt') options.receipts.push(value);
    else if (args[i] === '--receipts') options.receipts.push(...readFileSync(value, 'utf8').split('\n').filter((l) => l.trim()));
    else if (args[i] === '--head') options.heads.push(read(value));
    else throw new NoVerdict(`there is no option ${args[i]}`);
    if (value !== null) i++;
  }
  const from = options.from?.match(/^(\d{1,16}),([0-9a-f]{64}),([\w-]{43}),([\d:.TZ-]{27})$/);
  if (options.files.length < 2) throw new NoVerdict('give the files of the events, and last that of the keys');
  if (!['event', 'sandbox'].includes(options.purpose)) throw new NoVerdict('--purpose must be event or sandbox');
  if (options.from && !from) throw new NoVerdict('--from must be SEQ,HASH,KID,TIME of a row');
  if (options.issuedSince && !TIME.test(options.issuedSince)) throw new NoVerdict('--issued-since needs a time');
  if (!options.heads.every(isHead)) throw new NoVerdict('a file of --head is no head');
  options.receipts = options.receipts.map((text) => {
    const receipt = text.trim().match(/^(\d{1,16})[: \t]+([0-9a-f]{64})$/);
    if (!receipt) throw new NoVerdict(`a receipt must be SEQ:HASH, not ${text}`);
    return { seq: Number(receipt[1]), hash: receipt[2] };
  });
  if (from) options.start = { userId: null, seq: Number(from[1]), hash: from[2], kid: from[3], time: from[4], doubt: 0 };
  return options;
}

/** Where an earlier run ended and which keys it trusted; null when there was none. */
function readSaved(options) {
  if (!options.save || !existsSync(options.save)) return null;
  const saved = read(options.save);
  const keys = [saved?.firstKeyId, saved?.anchorKeyId, saved?.rootKeyId];
  if (!isObject(saved) || !is(UUID, saved.userId) || !isCount(saved.seq) || !is(HEX, saved.hash) || !bytes(saved.signingKeyId, 32)
    || !is(TIME, saved.createdAt) || !isCount(saved.manifestVersion) || !isCount(saved.erasedRows ?? 0)
    || !keys.every((kid) => (kid ?? null) === null || bytes(kid, 32))) {
    throw new NoVerdict(`${options.save} is not a file of --save; move it away to begin anew`);
  }
  if (options.from) throw new NoVerdict('the file of --save says where to go on; leave out --from');
  if (options.pin && !saved.firstKeyId) throw new NoVerdict('the file of --save does not know the first key; leave out --pin');
  return saved;
}

function writeSaved(file, at, known, anchorKeyId, manifestVersion, erasedRows) {
  const state = { userId: at.userId, seq: at.seq, hash: at.hash, signingKeyId: at.kid, createdAt: at.time,
    firstKeyId: known.first, anchorKeyId, rootKeyId: known.root, manifestVersion, erasedRows };
  writeFileSync(`${file}.new`, `${canonical(state)}\n`);
  renameSync(`${file}.new`, file);
}

/** What the service named before: receipts, kept heads, and where the last verification ended. */
function receiptsOf(options, saved, keys) {
  const receipts = new Map();
  for (const { seq, hash } of [...options.receipts, ...options.heads, ...(saved ? [saved] : [])]) {
    require((receipts.get(seq) ?? hash) === hash, 'two rows were given out for this place; keep both, they prove it', seq);
    receipts.set(seq, hash);
  }
  for (const head of options.heads) {
    require(isSignedHead(head, keys) && isBeforeTheft(keys.signer(head.signingKeyId), head.issuedAt),
      'the head that was kept is not signed by a key of this manifest', head.seq);
  }
  return receipts;
}

/** Names the keys the verdict rests on, and how each of them came to be trusted. */
class Trust {
  groups = new Map([['pinned', []], ['saved', []]]);

  known(role, given, saved) {
    if (given) this.add('pinned', `${role} ${given}`);
    else if (saved) this.add('saved', `${role} ${saved}`);
  }

  add(group, key) {
    this.groups.set(group, [...(this.groups.get(group) ?? []), key]);
  }

  toString() {
    return [...this.groups].filter(([, keys]) => keys.length).map(([group, keys]) => `${group}: ${keys.join(', ')}`).join('; ') || 'no key known';
  }
}

function main(options) {
  if (options.from && options.pin) throw new NoVerdict('--from names the key itself; leave out --pin');
  const saved = readSaved(options);
  const known = { first: options.pin ?? saved?.firstKeyId ?? null, anchor: options.anchor ?? saved?.anchorKeyId ?? null,
    root: options.root ?? saved?.rootKeyId ?? null };
  const trust = new Trust();
  trust.known(`${options.purpose} key`, options.pin ?? options.start?.kid, saved?.firstKeyId);
  trust.known('anchor key', options.anchor, saved?.anchorKeyId);
  trust.known('root key', options.root, saved?.rootKeyId);
  const start = saved
    ? { userId: saved.userId, seq: saved.seq, hash: saved.hash, kid: saved.signingKeyId, time: saved.createdAt, doubt: 0 }
    : options.start ?? { userId: null, seq: 0, hash: '0'.repeat(64), kid: known.first, time: '', doubt: 0 };
  let at = start;
  let place = 1;
  const acceptances = new Acceptances(start.seq === 0);
  const erasures = { count: 0, keys: new Set([start.kid]), signers: new Map(), ends: new Map() };
  try {
    const parts = options.files.slice(0, -1).map(read).flat();
    const manifest = read(options.files.at(-1));
    if (parts.length === 0) throw new NoVerdict('there is no page to verify');
    const keys = readKeys(manifest, known, options.purpose, trust);
    require(manifest.manifestVersion >= (saved?.manifestVersion ?? 0), 'the manifest is older than one that was seen before');
    require(!saved || known.first === (saved.firstKeyId ?? null), 'the row is signed by another key than the chain expects');
    const receipts = receiptsOf(options, saved, keys);
    const pages = [];
    const hashes = new Map([[at.seq, at.hash]]);
    let lastSeen = null;
    for (const part of parts) {
      for (const row of part?.events ?? [part]) {
        place = Number.isSafeInteger(row?.seq) ? row.seq : at.seq + 1;
        lastSeen = place;
        if (at === start && place >= 1 && place <= start.seq) {
          require(place < start.seq || row.hash === start.hash, 'the row is not the one that was verified before');
          continue;
        }
        if (at.seq === 0 && !at.kid) known.first = row?.signingKeyId;
        const next = step(row, at, keys);
        if (at.seq === 0 && !at.kid) trust.add('trusted on first use', `${options.purpose} key ${known.first}`);
        at = next;
        erasures.keys.add(row.signingKeyId).add(at.kid);
        erased(row, Array.isArray(part.erasures) ? part.erasures : [], keys, erasures);
        acceptances.row(row);
        require((receipts.get(row.seq) ?? row.hash) === row.hash, 'the row is not the one whose hash was given out earlier');
        hashes.set(row.seq, row.hash);
      }
      if (part?.events) pages.push({ cursor: part.nextCursor ?? null, head: part.head ?? null, upTo: at.seq, isSeen: (lastSeen ?? at.seq) < start.seq });
    }
    place = 1;
    require(lastSeen !== null || pages.some(({ head }) => head !== null), 'there is neither a row nor a head');
    require((lastSeen ?? start.seq) >= start.seq, 'the chain ends here, but was longer when it was verified before', lastSeen + 1);
    require(!at.doubt, 'the row was signed by a compromised key and nothing vouches for it', at.doubt);
    for (const [kid, seq] of erasures.signers) {
      require(erasures.keys.has(kid), 'the erasure of the row is signed by a key that the chain does not reach', seq);
    }
    place = at.seq + 1;
    require(erasures.ends.size === 0, 'the chain ends here, but an erasure names a later row');
    for (const [seq, hash] of receipts) {
      require(seq <= at.seq, 'the chain ends here, but a later row was given out earlier');
      require(seq !== at.seq || hash === at.hash, 'the row is not the one whose hash was given out earlier');
    }
    let last = null;
    let named = 0;
    for (const { cursor, head, upTo, isSeen } of pages) {
      place = isCount(head?.seq) ? head.seq : at.seq;
      require(cursor === null || isCursor(cursor), 'the cursor is malformed', at.seq);
      require(head === null || isHead(head), 'the head is malformed', at.seq);
      if (head === null || (isSeen && head.seq <= start.seq)) continue;
      headOnTheWay(head, upTo, last, at, hashes, keys);
      last = head;
      named = Math.max(named, head.seq);
    }
    if (last) lastHead(last, named, !parts.at(-1)?.events || pages.at(-1).cursor === null, at, keys, options);
    const total = erasures.count + (saved?.erasedRows ?? 0);
    console.log(`ok ${at.seq} rows, head ${at.hash}${total ? `, ${total} erased` : ''}${acceptances} [${trust}]`);
    if (named > at.seq) console.log(`The log goes on: the signed head names row ${named}.`);
    if (options.save && at.kid) writeSaved(options.save, at, known, keys.anchor, manifest.manifestVersion, total);
    return total ? 3 : 0;
  } catch (error) {
    if (error instanceof NoVerdict) throw error;
    console.log(`broken at seq ${error.seq ?? place}: ${error.message} [${trust}]`);
    return 1;
  }
}

try {
  process.exitCode = main(parse(process.argv.slice(2)));
} catch (error) {
  console.error(`verify: ${error.message}`);
  process.exitCode = 2;
}
