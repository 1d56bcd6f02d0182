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
// --tlog-proof FILE           a proof that a row of the chain is in the transparency log
// --policy FILE               which witnesses must have cosigned the checkpoint of the proof
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
const ERASABLE_ALONE = ['guardrail.decision', 'policy.drift_detected', 'policy.drift_cleared', 'broker.trade_observed'];

// The types and forms of docs/verify/forms.txt. "=" gives the form of a text, and ":" the members of an object: "?" may be
// absent or null, "..." allows others, [x] is a list, =x is that text alone, [=x] is a list of it.
const FORMS = {};
const TABLE = `
uuid        = [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}
hash        = [0-9a-f]{64}
key         = [A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]
signature   = [A-Za-z0-9_-]{85}[AQgw]
bytes       = ([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{4}|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]|[A-Za-z0-9_-][AQgw])
day         = [0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))
leap        = ([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29
time        = (<day>|<leap>)T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{6}Z
host        = [a-z0-9.-]{1,253}
origin      = (https://<host>|http://localhost)(:[0-9]{1,5})?
kind        = ips[.](created|amended)|key[.](minted|revoked|rotated)|guardrail[.]decision|policy[.]drift_(detected|cleared)|broker[.]trade_observed|signing_key[.]rotated
purpose     = event|sandbox|anchor|root|log
later       = [a-z][a-z0-9_-]{0,31}
status      = pending|active|retired|revoked
cause       = compromise|superseded
reason      = scheduled|compromise
receipt     = [0-9]{1,15}[: ]+<hash>
place       = [0-9]{1,15},<hash>,<key>,<time>
row         : v:one userId:uuid seq:positive eventId:uuid eventType:kind createdAt:time payload:object|null payloadHash:hash prevHash:hash signingKeyId:key hash:hash signature:signature
head        : v:one userId:uuid seq:count hash:hash issuedAt:time signingKeyId:key signature:signature
erasure     : userId:uuid seq:positive hash:hash erasedAt:time reason:text signingKeyId:key signature:signature
erasures    : userId:uuid throughSeq:positive hash:hash erasedAt:time reason:text signingKeyId:key signature:signature
page        : events:[any] erasures?:[any] head?:head nextCursor?:cursor ...
manifest    : issuer:text manifestVersion:count updatedAt:time scheme:scheme keys:[signer] signature?:sealed
scheme      : event:=agent-policy/event/v1 canonicalization:=RFC8785 hash:=SHA-256 signature:=Ed25519
signer      : kty:=OKP crv:=Ed25519 x:key kid:key use:=sig alg:=Ed25519 key_ops:[=verify] purpose:purpose status:status validFrom:time validUntil:time|null revokedAt:time|null revocationReason:cause|null compromisedSince:time|null attestations:[attestation]
attestation : byKeyId:key signature:signature
sealed      : keyId:key value:signature
rotation    : salt:text oldKeyId:key newKeyId:key newPublicKey:key reason:reason newKeyProof:signature trustedThroughSeq?:count
credential  : credentialId:bytes ...
passkey     : credentialId:bytes rpId:host publicKey:object ...
ES256       : kty:=EC alg:=ES256 crv:=P-256 x:key y:key
EdDSA       : kty:=OKP alg:=EdDSA crv:=Ed25519 x:key
RS256       : kty:=RSA alg:=RS256 n:bytes e:bytes
accepted    : accepted:true attested:attested|together passkey:assertion ...
attested    : userId:uuid serviceRequestId:count trade:object custodian:text|null ipsVersion:count|null portfolioRevision:count decisionHash:hash expiresAt:time nonce:text
together    : userId:uuid requests:[request] ipsVersion:count|null portfolioRevision:count expiresAt:time nonce:text
request     : serviceRequestId:count trade:object custodian:text|null decisionHash:hash
confirmed   : ipsVersion:positive previousIpsVersion:count|null document:object scheduledAt?:time confirmation:signed ...
signed      : attested:change passkey:assertion
change      : userId:uuid kind:=ips previousIpsVersion:count|null documentHash:hash expiresAt:time nonce:text
assertion   : credentialId:bytes authenticatorData:bytes clientDataJSON:bytes signature:bytes
client      : crossOrigin?:truth ...
state       : userId:uuid seq:count hash:hash signingKeyId:key createdAt:time firstKeyId?:key anchorKeyId?:key rootKeyId?:key manifestVersion:count erasedRows?:count
header      : v:one userId:uuid seq:positive eventId:uuid eventType:kind createdAt:time payloadHash:hash prevHash:hash signingKeyId:key hash:hash signature:signature
logged      : userId:uuid seq:positive commitment:key rows:[header]
`;
for (const [, name, kind, rest] of TABLE.matchAll(/^(\S+) +([=:]) (.*)$/gm)) {
  FORMS[name] = kind === ':' ? rest.split(' ').map((member) => member.split(':'))
    : new RegExp(`^(?:${rest.replace(/<(\w+)>/g, (_, of) => FORMS[of].source.slice(1, -1))})$`);
}

/** Whether a value has a form of the table. */
function isOf(form, value) {
  if (form.includes('|')) return form.split('|').some((one) => isOf(one, value));
  if (form.startsWith('[=')) return Array.isArray(value) && value.length === 1 && value[0] === form.slice(2, -1);
  if (form.startsWith('[')) return Array.isArray(value) && value.every((item) => isOf(form.slice(1, -1), item));
  if (form.startsWith('=')) return value === form.slice(1);
  switch (form) {
    case 'any': return true;
    case 'null': return value === null;
    case 'one': return value === 1;
    case 'true': return value === true;
    case 'truth': return typeof value === 'boolean';
    case 'count': return Number.isSafeInteger(value) && value >= 0;
    case 'positive': return Number.isSafeInteger(value) && value >= 1;
    case 'text': return typeof value === 'string' && /^[^\u0000-\u001f\u007f]{1,500}$/u.test(value);
    case 'cursor': return typeof value === 'string' && value !== '';
    case 'object': return isObject(value);
    default: return Array.isArray(FORMS[form]) ? hasMembers(FORMS[form], value) : typeof value === 'string' && FORMS[form].test(value);
  }
}

function hasMembers(members, value) {
  if (!isObject(value)) return false;
  const names = members.map(([name]) => name.replace('?', ''));
  return (names.includes('...') || Object.keys(value).every((name) => names.includes(name)))
    && members.every(([name, form], i) => name === '...'
      || (name.endsWith('?') && (value[names[i]] ?? null) === null)
      || (Object.hasOwn(value, names[i]) && isOf(form, value[names[i]])));
}

const bytes = (text) => Buffer.from(text, 'base64url');

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

/** What lies outside of the profile in a JSON text, which JSON.parse would hide; null if nothing does. */
function outside(text) {
  const open = [];
  let wrong = null;
  for (const [token, string, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]|-?[0-9][-+.0-9eE]*/g)) {
    if (string !== undefined) {
      const content = token.includes('\\') ? JSON.parse(string) : string.slice(1, -1);
      if (/\p{Cs}/u.test(content)) wrong ??= 'a text has broken Unicode';
      if (colon && open.at(-1).has(content)) wrong ??= `the member ${string} comes twice`;
      if (colon) open.at(-1).add(content);
    } else if (token === '{' || token === '[') {
      if (open.push(new Set()) > 64) throw new Error('it nests too deep');
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (!/^(?:0|-?[1-9][0-9]*)$/.test(token) || !Number.isSafeInteger(Number(token))) {
      wrong ??= 'a number is not an integer of at most 2^53-1';
    }
  }
  return wrong;
}

/** One JSON document in UTF-8 without a byte order mark. What lies outside of the profile is noted. */
function parsed(raw, complaints) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  const document = JSON.parse(text);
  complaints.push(outside(text));
  return document;
}

/** Reads a file that holds an object, or objects. */
function read(file, complaints, isList = false) {
  let document;
  try {
    document = parsed(readFileSync(file), complaints);
  } catch (error) {
    throw new NoVerdict(`${file} cannot be read: ${error.message}`);
  }
  if (isObject(document) || (isList && isOf('[object]', document))) return document;
  throw new NoVerdict(`${file} holds no object`);
}

/** Reads a file of an option, which is in the profile or none. */
function readExactly(form, file, why) {
  const complaints = [];
  const document = read(file, complaints);
  if (complaints[0] !== null || !isOf(form, document)) throw new NoVerdict(why);
  return document;
}

function signed(key, message, signature) {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x };
  return verify(null, Buffer.from(message, 'utf8'), createPublicKey({ key: jwk, format: 'jwk' }), bytes(signature));
}

const without = (object, ...names) => Object.fromEntries(Object.entries(object).filter(([n]) => !names.includes(n)));
const isLost = (key) => key.revocationReason === 'compromise';
const isBeforeTheft = (key, time) => !isLost(key) || (key.compromisedSince !== null && time <= key.compromisedSince);

/** Whether one key vouches for another. */
function vouches(voucher, key, signature) {
  const { kid, x, purpose, validFrom } = key;
  return signed(voucher, `agent-policy/key/v1\n${canonical({ kid, x, purpose, validFrom })}`, signature);
}

/** The manifest without the keys of purposes that only a later version knows. */
function ofNow(manifest) {
  const isLater = (key) => isOf('later', key?.purpose) && !isOf('purpose', key.purpose);
  return Array.isArray(manifest?.keys) ? { ...manifest, keys: manifest.keys.filter((key) => !isLater(key)) } : manifest;
}

/** The keys of a manifest by their ids, each of which is that of its key. */
function byId(manifest) {
  const all = new Map();
  require(isOf('manifest', ofNow(manifest)), 'the manifest is malformed');
  for (const key of ofNow(manifest).keys) {
    const jwk = `{"crv":"Ed25519","kty":"OKP","x":"${key.x}"}`;
    require(createHash('sha256').update(jwk).digest('base64url') === key.kid, `the key ${key.kid} is not the one its id names`);
    const isRevoked = key.status === 'revoked';
    require(isRevoked === (key.revokedAt !== null) && isRevoked === (key.revocationReason !== null), 'the manifest is malformed');
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
      const by = key.attestations.find(({ byKeyId, signature }) => vouched.has(byKeyId)
        && mayVouch(all.get(byKeyId)) && vouches(all.get(byKeyId), key, signature));
      if (by) vouched.set(key.kid, vouched.get(by.byKeyId));
    }
  }
  return vouched.get(kid);
}

/** Holds the manifest's signature against what is known; what a key is for is taken from a signed manifest only. */
function readKeys(manifest, known, purpose, trust) {
  const all = byId(manifest);
  require(manifest.signature ?? null, 'the manifest is not signed');
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
    && of.attestations.some((a) => a.byKeyId === voucher.kid && vouches(voucher, of, a.signature));
  const root = all.get(known.root)?.purpose === 'root' ? all.get(known.root) : undefined;
  const byRoot = (of) => attested(of, root);
  const byKey = (of, kid) => attested(of, signer(kid));
  return { all, signer, byRoot, byKey, hasRoot: Boolean(known.root), anchor: keyId === known.root ? known.anchor : keyId };
}

/** Whether a row has its form, and a payload in the profile. */
function checkForm(row) {
  require(isOf('row', row), 'the row does not have the members of a row');
  if (row.payload !== null) require(Buffer.byteLength(canonical(row.payload)) <= 65536, 'the payload is too large');
}

function contents(row, at) {
  require(row.userId === (at.userId ?? row.userId), 'the row belongs to another user');
  require(row.seq === at.seq + 1, `the row should be number ${at.seq + 1}`);
  require(row.prevHash === at.hash, 'the row does not follow the row before it');
  require(row.createdAt >= at.time, 'the row is older than the row before it');
  if (row.payload !== null) {
    require(hex(`agent-policy/payload/v1\n${canonical(row.payload)}`) === row.payloadHash, 'the payload does not have its hash');
  }
  const header = canonical(without(row, 'payload', 'hash', 'signature'));
  require(hex(`agent-policy/event/v1\n${header}`) === row.hash, 'the row does not have its hash');
}

function rotation(row, at, keys) {
  const p = row.payload;
  require(isOf('rotation', p) && (p.reason === 'scheduled' || isOf('count', p.trustedThroughSeq)), 'the key rotation is malformed');
  const old = at.kid ?? p.oldKeyId;
  require(p.oldKeyId === old, 'the key rotation is not from the key that signed so far');
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
  if (!isOf(name === 'seq' ? 'erasure' : 'erasures', entry)) return false;
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
    if (since !== null && row.createdAt <= since && !isLost(keys.signer(rotated.newKeyId))) doubt = 0;
  }
  return { userId: row.userId, seq: row.seq, hash: row.hash, kid: rotated?.newKeyId ?? expected, time: row.createdAt, doubt };
}

const PASSKEYS = { ES256: ['x', 'y'], EdDSA: ['x'], RS256: ['n', 'e'] };

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
function passkey(payload) {
  const { publicKey: jwk, rpId } = payload;
  if (!isOf('passkey', payload) || typeof jwk.alg !== 'string' || !Object.hasOwn(PASSKEYS, jwk.alg) || !isOf(jwk.alg, jwk)) return null;
  if (!fits(jwk.alg, ...PASSKEYS[jwk.alg].map((name) => bytes(jwk[name])))) return null;
  try {
    return { rpId, digest: jwk.alg === 'EdDSA' ? null : 'sha256', key: createPublicKey({ key: without(jwk, 'alg'), format: 'jwk' }) };
  } catch {
    return null;
  }
}

/** Why an assertion is no signature of a verified user over a challenge; null if it is one. */
function refused(assertion, { rpId, digest, key }, challenge) {
  const [authenticator, client, signature] = [assertion.authenticatorData, assertion.clientDataJSON, assertion.signature].map(bytes);
  const complaints = [];
  let said = null;
  try {
    said = parsed(client, complaints);
  } catch { /* said stays null */ }
  if (authenticator.length < 37 || !isOf('client', said) || complaints[0] !== null) return 'it cannot be read';
  if (said.type !== 'webauthn.get') return 'it is no assertion';
  if (said.challenge !== challenge) return 'it is for another challenge';
  if (said.crossOrigin === true || !isOf('origin', said.origin) || said.origin.split(/:\/\/|:/)[1] !== rpId) return 'it was made at another origin';
  if (!createHash('sha256').update(rpId, 'utf8').digest().equals(authenticator.subarray(0, 32))) return 'it was made for another relying party';
  if ((authenticator[32] & 5) !== 5) return 'the authenticator did not verify the user';
  const message = Buffer.concat([authenticator, createHash('sha256').update(client).digest()]);
  return verify(digest, message, key, signature) ? null : 'its signature is wrong';
}

/** The acceptances and changes that a person signed with a passkey. In a chain that is continued, what they refer to may be unknown. */
class Signatures {
  requests = [];
  versions = [];
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

  row(row) {
    const { payload, eventType } = row;
    const isKey = eventType.startsWith('key.');
    if (payload === null) {
      if (isKey) this.#areKeysKnown = false;
      if (eventType === 'guardrail.decision') this.#erased.add(row.hash);
    } else if (isKey && payload.keyClass === 'passkey') {
      this.#key(row);
    } else if (eventType.startsWith('ips.') && Object.hasOwn(payload, 'confirmation')) {
      this.#change(row);
    } else if (eventType === 'guardrail.decision') {
      if (payload.kind === 'propose' && isOf('count', payload.serviceRequestId)) {
        this.#proposals.set(payload.serviceRequestId, row.hash);
      }
      const answer = payload.attestation;
      if (isObject(answer) && (Object.hasOwn(answer, 'attested') || Object.hasOwn(answer, 'passkey'))) this.#acceptance(row);
    }
  }

  #key({ payload, eventType, createdAt }) {
    const id = payload.credentialId;
    require(isOf('credential', payload), 'the passkey is malformed');
    if (eventType === 'key.revoked') {
      const known = this.#passkeys.get(id);
      require(known || !this.#areKeysKnown, 'a passkey is revoked that was never minted');
      this.#passkeys.delete(id);
      if (known) this.#revoked.set(id, { known, at: createdAt });
      return;
    }
    const minted = eventType === 'key.minted' ? passkey(payload) : null;
    require(minted !== null, 'the passkey is malformed');
    require(!this.#passkeys.has(id), 'the passkey is minted a second time');
    this.#passkeys.set(id, minted);
  }

  #acceptance({ payload, userId, createdAt }) {
    const { attested, passkey: assertion } = payload.attestation;
    require(payload.kind === 'attestation' && isOf('accepted', payload.attestation), 'the signature of the passkey is malformed');
    const request = (attested.requests ?? [attested]).find((each) => each.serviceRequestId === payload.serviceRequestId);
    require(attested.userId === userId && request
      && isObject(payload.trade) && canonical(request.trade) === canonical(payload.trade) && createdAt < attested.expiresAt
      && (payload.ipsVersion === null || attested.ipsVersion === payload.ipsVersion),
    'the passkey signed something else than is recorded');
    const challenge = this.#challenge('attestation', attested, request.serviceRequestId);
    const proposal = this.#proposals.get(request.serviceRequestId);
    const isErased = this.#erased.has(request.decisionHash);
    require(proposal === undefined ? !this.#isWhole || isErased : proposal === request.decisionHash,
      'the passkey signed another decision than that of the proposal');
    const known = this.#passkeys.get(assertion.credentialId);
    require(known || !this.#areKeysKnown, 'the acceptance is signed with a passkey that this chain does not have at that time');
    if (!known || (proposal === undefined && !isErased)) {
      this.unchecked++;
      return;
    }
    const why = refused(assertion, known, challenge);
    require(why === null, `the acceptance is not signed by its passkey: ${why}`);
    this.requests.push(request.serviceRequestId);
  }

  #change({ payload, userId, createdAt }) {
    require(isOf('confirmed', payload), 'the signature of the passkey is malformed');
    const { confirmation: { attested, passkey: assertion }, scheduledAt = null } = payload;
    const document = canonical(without(payload.document, 'approvals', 'paused', 'drawdownSince'));
    require(attested.userId === userId && attested.documentHash === createHash('sha256').update(document, 'utf8').digest('hex')
      && (attested.previousIpsVersion ?? 0) <= (payload.previousIpsVersion ?? 0) && (scheduledAt ?? createdAt) < attested.expiresAt,
    'the passkey signed another change than is recorded');
    const challenge = this.#challenge('change', attested);
    const revoked = this.#revoked.get(assertion.credentialId);
    const known = this.#passkeys.get(assertion.credentialId) ?? (scheduledAt !== null && revoked?.at >= scheduledAt ? revoked.known : undefined);
    require(known || !this.#areKeysKnown, 'the change is signed with a passkey that this chain does not have at that time');
    if (!known) {
      this.unchecked++;
      return;
    }
    const why = refused(assertion, known, challenge);
    require(why === null, `the change is not signed by its passkey: ${why}`);
    this.versions.push(payload.ipsVersion);
  }

  #challenge(what, attested, of = '') {
    const challenge = createHash('sha256').update(`agent-policy/${what}/v1\n${canonical(attested)}`, 'utf8').digest('base64url');
    require(!this.#used.has(`${challenge} ${of}`), 'the signature of the passkey was used before');
    this.#used.add(`${challenge} ${of}`);
    return challenge;
  }

  toString() {
    const named = (what, all) => (all.length ? `, ${what}: ${all.slice(0, 20).join(', ')}${all.length > 20 ? ` and ${all.length - 20} more` : ''}` : '');
    const signed = named('signed by passkey', this.requests) + named('policy versions signed by passkey', this.versions);
    return this.unchecked ? `${signed}, passkey signatures not checked: ${this.unchecked}` : signed;
  }
}

function isSignedHead(head, keys) {
  const key = keys.signer(head.signingKeyId);
  return key !== undefined
    && signed(key, `agent-policy/head/v1\n${canonical(without(head, 'signature'))}`, head.signature);
}

/** What came with a page: signed by any key of the chain, not behind the page, and as the rows turned out. */
function headOnTheWay(head, upTo, before, at, hashes, keys) {
  require(head.userId === (at.userId ?? head.userId), 'the head is that of another user');
  require(head.seq >= upTo, 'the head is behind the rows');
  require(head.hash === (hashes.get(head.seq) ?? head.hash), 'the head has another hash than the row');
  require(!before || head.seq >= before.seq || head.issuedAt < before.issuedAt,
    'the chain ends here, but a head before named a later row', head.seq + 1);
  require(isSignedHead(head, keys), 'the head is not signed by a key of this manifest');
  hashes.set(head.seq, head.hash);
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

// Texts of C2SP tlog-proof: a number, base64, a hash, the name of a key, and a line.
const NUMBER = '(?:0|[1-9][0-9]{0,14})';
const HASH = '[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=';
const BASE64 = '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)';
const NAME = '[^\\s\\x00-\\x1f+]+';
const LINE = '[^\\x00-\\x1f]+\n';
const PROOF = new RegExp(`^c2sp[.]org/tlog-proof@v1\nextra (${BASE64})\nindex (${NUMBER})\n((?:${HASH}\n){0,63})\n`
  + `((${LINE})(${NUMBER})\n(${HASH})\n(?:${LINE})*)\n((?:\u2014 ${NAME} ${BASE64}\n){1,100})$`, 'u');
const VERIFIER_KEY = new RegExp(`^(${NAME})[+]([0-9a-f]{8})[+](${BASE64})$`, 'u');
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();
const check = (condition) => { if (!condition) throw new Error('malformed'); };

/** A key that signs notes: 1 is the type of a log's, 4 that of a witness; no signature of another type is checked. */
const noteKey = (name, type, key) => ({ name, type, key, id: sha256(`${name}\n`, [type], key).subarray(0, 4) });

function readNoteKey(text) {
  const [, name, id, typed] = VERIFIER_KEY.exec(text) ?? [];
  check(name);
  const raw = Buffer.from(typed, 'base64');
  check(raw.length >= 2);
  const key = noteKey(name, raw[0], raw.subarray(1));
  if ([1, 4].includes(key.type)) check(raw.length === 33 && key.id.toString('hex') === id);
  return key;
}

/** Whether a note is signed by a key; a forged signature breaks it. */
function isNoteSigned({ name, type, key, id }, { text, lines }) {
  if (![1, 4].includes(type)) return false;
  const from = type === 4 ? 12 : 4;
  const own = lines.map((line) => line.split(' ')).filter((words) => words[1] === name)
    .map((words) => Buffer.from(words[2], 'base64')).filter((raw) => raw.subarray(0, 4).equals(id));
  for (const raw of own) {
    require(raw.length === from + 64, 'a signature of the checkpoint is wrong');
    const message = type === 4 ? `cosignature/v1\ntime ${raw.readBigUInt64BE(4)}\n${text}` : text;
    require(signed({ x: key.toString('base64url') }, message, raw.subarray(from).toString('base64url')), 'a signature of the checkpoint is wrong');
  }
  return own.length > 0;
}

/** A file of C2SP tlog-policy: logs, and by their names witnesses and groups, of which one is the quorum. */
function readPolicy(raw) {
  const policy = { logs: [], parties: new Map(), quorum: null };
  const used = new Set();
  const isKnown = (name) => policy.parties.has(name);
  const utf8 = (word) => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(word, 'latin1'));
  const unused = (name) => isKnown(name) && !used.has(name) && used.add(name);
  for (const line of raw.toString('latin1').split('\n')) {
    check(!/[\x00-\x08\x0a-\x1f\x7f]/.test(line));
    const words = line.match(/[^ \t]+/g) ?? [];
    if (words.length === 0 || words[0][0] === '#') continue;
    const [word, name, first, ...more] = words;
    check(name !== undefined);
    if (word === 'log') {
      check(more.length === 0 && policy.logs.push(readNoteKey(utf8(name))));
    } else if (word === 'quorum') {
      check(first === undefined && policy.quorum === null && (name === 'none' || isKnown(name)));
      policy.quorum = name;
    } else {
      check(name !== 'none' && !isKnown(name) && first !== undefined);
      if (word === 'witness') {
        policy.parties.set(name, readNoteKey(utf8(first)));
        check(more.length < 2 && policy.parties.get(name).type !== 1);
      } else {
        const least = first === 'all' ? more.length : first === 'any' ? 1 : /^[1-9][0-9]{0,8}$/.test(first) ? Number(first) : 0;
        check(word === 'group' && least > 0 && least <= more.length && more.every(unused));
        policy.parties.set(name, { least, members: more });
      }
    }
  }
  check(policy.quorum !== null);
  policy.witnesses = [...policy.parties.values()].filter(({ key }) => key);
  for (const keys of [policy.logs, policy.witnesses]) check(new Set(keys.map(({ key }) => key.toString('hex'))).size === keys.length);
  return policy;
}

function isMet({ parties }, cosigned, name) {
  const party = parties.get(name);
  return name === 'none' || cosigned.includes(party)
    || (party.members?.filter((member) => isMet({ parties }, cosigned, member)).length >= party.least);
}

/** A proof that a row is in the transparency log. */
function readProof(raw) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  const [, coded, index, hashes, note, origin, size, root, lines] = PROOF.exec(text) ?? [];
  check(coded);
  const complaints = [];
  const extra = parsed(Buffer.from(coded, 'base64'), complaints);
  check(complaints[0] === null && isOf('logged', extra) && extra.rows.length > 0);
  return { ...extra, index: Number(index), hashes: hashes.split('\n').slice(0, -1).map((line) => Buffer.from(line, 'base64')), text: note,
    origin: origin.slice(0, -1), size: Number(size), root: Buffer.from(root, 'base64'), lines: lines.split('\n').slice(0, -1) };
}

/** The root above a leaf (RFC 9162, section 2.1.3.2), or null when there are too many or too few hashes. */
function climb(index, size, leaf, hashes) {
  let [at, last, hash] = [index, size - 1, leaf];
  if (at > last) return null;
  const half = () => { at = Math.floor(at / 2); last = Math.floor(last / 2); };
  for (const sibling of hashes) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      hash = sha256([1], sibling, hash);
      while (at % 2 === 0 && at > 0) half();
    } else {
      hash = sha256([1], hash, sibling);
    }
    half();
  }
  return last === 0 ? hash : null;
}

/** Holds a proof against the chain that was verified, and says where its row is in the log and who has witnessed it. */
function logged(proof, policy, at, begin, hashes, all) {
  const { seq, rows, userId } = proof;
  if (seq < begin) throw new NoVerdict('the row of the proof was verified before; leave out --save and --from');
  require(userId === at.userId, 'the proof is for another user', seq);
  rows.forEach((row, i) => require(row.seq === seq + i && row.userId === userId && (i === 0 || row.prevHash === rows[i - 1].hash)
    && hex(`agent-policy/event/v1\n${canonical(without(row, 'hash', 'signature'))}`) === row.hash,
  'the rows of the proof do not follow each other', seq));
  require(seq <= at.seq, 'the chain ends here, but there is a proof of a later row', at.seq + 1);
  rows.forEach((row) => require((hashes.get(row.seq) ?? row.hash) === row.hash, 'the row is not the one that was logged', row.seq));
  const ofManifest = () => [...all.values()].filter((key) => key.purpose === 'log' && key.status !== 'revoked')
    .map((key) => noteKey(proof.origin, 1, bytes(key.x)));
  const logs = policy?.logs.length ? policy.logs : ofManifest();
  const by = logs.filter((key) => key.name === proof.origin && isNoteSigned(key, proof));
  require(by.length > 0, 'the checkpoint of the proof is not signed by the log', seq);
  const leaf = sha256([0], bytes(proof.commitment), Buffer.from(rows.at(-1).hash, 'hex'));
  require(climb(proof.index, proof.size, leaf, proof.hashes)?.equals(proof.root), 'the row of the proof is not in the log', seq);
  if (!policy) return `, in the log at index ${proof.index}, witnesses not checked`;
  const cosigned = policy.witnesses.filter((key) => isNoteSigned(key, proof));
  const said = `witnessed by ${cosigned.length} of ${policy.witnesses.length}`;
  require(isMet(policy, cosigned, policy.quorum), `the checkpoint is ${said}, which is no quorum`, seq);
  return `, in the log at index ${proof.index}, ${said}`;
}

/** Reads a file of another form than JSON. */
function readAs(reader, file, what) {
  try {
    return reader(readFileSync(file));
  } catch (error) {
    throw new NoVerdict(`${file} is no ${what}: ${error.message}`);
  }
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
    else if (args[i] === '--receipts') options.receipts.push(...readFileSync(value, 'utf8').split('\n').filter((line) => line.replace(/[ \t\r]/g, '')));
    else if (args[i] === '--tlog-proof') options.proof = readAs(readProof, value, 'proof');
    else if (args[i] === '--policy') options.policy = readAs(readPolicy, value, 'policy');
    else if (args[i] === '--head') options.heads.push(readExactly('head', value, 'a file of --head is no head'));
    else throw new NoVerdict(`there is no option ${args[i]}`);
    if (value !== null) i++;
  }
  if (options.files.length < 2) throw new NoVerdict('give the files of the events, and last that of the keys');
  if (options.policy && !options.proof) throw new NoVerdict('--policy needs --tlog-proof');
  if (!['event', 'sandbox'].includes(options.purpose)) throw new NoVerdict('--purpose must be event or sandbox');
  if (options.from !== undefined && !isOf('place', options.from)) throw new NoVerdict('--from must be SEQ,HASH,KID,TIME of a row');
  if (options.issuedSince !== '' && !isOf('time', options.issuedSince)) throw new NoVerdict('--issued-since needs a time');
  for (const kid of [options.pin, options.anchor, options.root]) {
    if (kid !== undefined && !isOf('key', kid)) throw new NoVerdict('--pin, --anchor and --root need the id of a key');
  }
  options.receipts = options.receipts.map((text) => {
    const receipt = text.replace(/[\t\r]/g, ' ').replace(/^ +| +$/g, '');
    if (!isOf('receipt', receipt)) throw new NoVerdict(`a receipt must be SEQ:HASH, not ${text}`);
    const [seq, hash] = receipt.split(/[: ]+/);
    return { seq: Number(seq), hash };
  });
  if (options.from) {
    const [seq, hash, kid, time] = options.from.split(',');
    options.start = { userId: null, seq: Number(seq), hash, kid, time, doubt: 0 };
  }
  return options;
}

/** Where an earlier run ended and which keys it trusted; null when there was none. */
function readSaved(options) {
  if (!options.save || !existsSync(options.save)) return null;
  const saved = readExactly('state', options.save, `${options.save} is not a file of --save; move it away to begin anew`);
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
  const signatures = new Signatures(start.seq === 0);
  const erasures = { count: 0, keys: new Set([start.kid]), signers: new Map(), ends: new Map() };
  try {
    const complaints = [];
    const parts = options.files.slice(0, -1).flatMap((file) => read(file, complaints, true));
    const manifest = read(options.files.at(-1), complaints);
    if (parts.length === 0) throw new NoVerdict('there is no page to verify');
    const complaint = complaints.find((each) => each !== null);
    require(!complaint, complaint);
    const keys = readKeys(manifest, known, options.purpose, trust);
    require(manifest.manifestVersion >= (saved?.manifestVersion ?? 0), 'the manifest is older than one that was seen before');
    require(!saved || known.first === (saved.firstKeyId ?? null), 'the row is signed by another key than the chain expects');
    const receipts = receiptsOf(options, saved, keys);
    const pages = [];
    const hashes = new Map([[at.seq, at.hash]]);
    let lastSeen = null;
    for (const part of parts) {
      const isPage = Object.hasOwn(part, 'events');
      require(!isPage || (Array.isArray(part.events) && Array.isArray(part.erasures ?? [])), 'the page is malformed', at.seq + 1);
      for (const row of isPage ? part.events : [part]) {
        place = Number.isSafeInteger(row?.seq) ? row.seq : at.seq + 1;
        checkForm(row);
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
        erased(row, (isPage && part.erasures) || [], keys, erasures);
        signatures.row(row);
        require((receipts.get(row.seq) ?? row.hash) === row.hash, 'the row is not the one whose hash was given out earlier');
        hashes.set(row.seq, row.hash);
      }
      if (isPage) pages.push({ cursor: part.nextCursor ?? null, head: part.head ?? null, upTo: at.seq, isSeen: (lastSeen ?? at.seq) < start.seq });
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
      require(cursor === null || isOf('cursor', cursor), 'the cursor is malformed', at.seq);
      require(head === null || isOf('head', head), 'the head is malformed', at.seq);
      place = head === null ? at.seq : head.seq;
      if (head === null || (isSeen && head.seq <= start.seq)) continue;
      headOnTheWay(head, upTo, last, at, hashes, keys);
      last = head;
      named = Math.max(named, head.seq);
    }
    if (last) lastHead(last, named, !Object.hasOwn(parts.at(-1), 'events') || pages.at(-1).cursor === null, at, keys, options);
    place = options.proof?.seq;
    const proven = options.proof ? logged(options.proof, options.policy, at, start.seq, hashes, keys.all) : '';
    const total = erasures.count + (saved?.erasedRows ?? 0);
    console.log(`ok ${at.seq} rows, head ${at.hash}${total ? `, ${total} erased` : ''}${signatures}${proven} [${trust}]`);
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
