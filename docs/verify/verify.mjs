#!/usr/bin/env node
// Verifies a chain of signed events with public data only; needs nothing but Node 18. See docs/reference/events.md.
//
//   node verify.mjs events.json signing-keys.json [options]
//
// events.json: a page of GET /api/agent/v1/policy/events?order=asc, an array of such pages in order, or an array of rows.
// --purpose event|sandbox     which keys may sign the chain (event)
// --pin KID                   the key that must sign the first row, known from elsewhere than the manifest
// --root KID                  the only root key to trust in an emergency, known from elsewhere than the manifest
// --from SEQ,HASH,KID,TIME    the last row of an earlier verification; the rows begin after it
// --receipt SEQ:HASH          a row the service once named, in a saved head or a receipt header; may be repeated
// --issued-since TIME         the oldest head that is fresh enough, written YYYY-MM-DDTHH:MM:SS.ffffffZ
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

class Broken extends Error {}
const require = (condition, why) => { if (!condition) throw new Broken(why); };
const isObject = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);
const hex = (text) => createHash('sha256').update(text, 'utf8').digest('hex');
const has = (object, names) => Object.keys(object).sort().join() === [...names].sort().join();
const HEX = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const KINDS = ['ips.created', 'ips.amended', 'key.minted', 'key.revoked', 'key.rotated', 'guardrail.decision',
  'policy.drift_detected', 'policy.drift_cleared', 'broker.trade_observed', 'signing_key.rotated'];
const ROW = ['v', 'userId', 'seq', 'eventId', 'eventType', 'createdAt', 'payload', 'payloadHash', 'prevHash',
  'signingKeyId', 'hash', 'signature'];
const HEAD = ['v', 'userId', 'seq', 'hash', 'issuedAt', 'signingKeyId', 'signature'];

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
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  const document = JSON.parse(text);
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

function readKeys(manifest, options) {
  const all = new Map();
  for (const key of manifest.keys) {
    const jwk = `{"crv":"Ed25519","kty":"OKP","x":${JSON.stringify(key.x)}}`;
    require(bytes(key.x, 32) !== null && key.kty === 'OKP' && key.crv === 'Ed25519'
      && createHash('sha256').update(jwk).digest('base64url') === key.kid, `the key ${key.kid} is not the one its id names`);
    all.set(key.kid, key);
  }
  if (manifest.signature) {
    const key = all.get(manifest.signature.keyId);
    const message = `agent-policy/manifest/v1\n${canonical(without(manifest, 'signature'))}`;
    require(key && ['anchor', 'root'].includes(key.purpose) && key.status !== 'revoked'
      && signed(key, message, manifest.signature.value), 'the manifest is not signed by its anchor or root key');
  }
  const signer = (kid) => (all.get(kid)?.purpose === options.purpose ? all.get(kid) : undefined);
  const attested = (key, by) => (key.attestations ?? []).some((a) => {
    const voucher = all.get(a.byKeyId);
    const { kid, x, purpose, validFrom } = key;
    return voucher && by(voucher) && !isLost(voucher)
      && signed(voucher, `agent-policy/key/v1\n${canonical({ kid, x, purpose, validFrom })}`, a.signature);
  });
  const byRoot = (key) => attested(key, (v) => v.purpose === 'root' && (!options.root || v.kid === options.root));
  const byKey = (key, kid) => attested(key, (v) => v === signer(kid));
  return { signer, byRoot, byKey };
}

function contents(row, at) {
  require(isObject(row) && has(row, ROW), 'the row does not have exactly the members of a row');
  require(row.v === 1, 'the row is of another version');
  require(UUID.test(row.userId) && UUID.test(row.eventId) && KINDS.includes(row.eventType) && TIME.test(row.createdAt)
    && [row.payloadHash, row.prevHash, row.hash].every((h) => typeof h === 'string' && HEX.test(h))
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
  require(p.reason === 'scheduled' || (p.reason === 'compromise' && Number.isSafeInteger(p.trustedThroughSeq)),
    'the key rotation is malformed');
  const next = keys.signer(p.newKeyId);
  require(next && next.x === p.newPublicKey, 'the new key is not in the manifest for this kind of chain');
  const proof = `agent-policy/key-proof/v1\n${row.userId}\n${old}\n${p.newKeyId}\n${row.prevHash}\n`;
  require(signed(next, proof, p.newKeyProof), 'the new key is not proven to be in the hands of the service');
  if (p.reason === 'compromise') {
    require(!isLost(next) && keys.byRoot(next), 'the new key of an emergency is not attested by a root key');
  }
  return p;
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
    if (rotated.trustedThroughSeq < at.seq) {
      throw Object.assign(new Broken('the operator does not vouch for this row of a compromised key'),
        { seq: rotated.trustedThroughSeq + 1 });
    }
    doubt = 0;
  } else if (rotated) {
    const since = keys.signer(rotated.oldKeyId).compromisedSince;
    if (since && row.createdAt <= since && !isLost(keys.signer(rotated.newKeyId))) doubt = 0;
  }
  return { userId: row.userId, seq: row.seq, hash: row.hash, kid: rotated?.newKeyId ?? expected, time: row.createdAt, doubt };
}

/** What came with a page: signed by any key of the chain, not behind the page, and as the rows turned out. */
function headOnTheWay(head, upTo, before, at, hashes, keys) {
  require(isObject(head) && has(head, HEAD) && head.v === 1 && Number.isSafeInteger(head.seq) && HEX.test(head.hash)
    && TIME.test(head.issuedAt), 'the head is malformed');
  require(head.userId === (at.userId ?? head.userId), 'the head is that of another user');
  require(head.seq >= upTo, 'the head is behind the rows');
  require(head.hash === (hashes.get(head.seq) ?? head.hash), 'the head has another hash than the row');
  if (before && head.seq < before.seq && head.issuedAt >= before.issuedAt) {
    throw Object.assign(new Broken('the chain ends here, but a head before named a later row'), { seq: head.seq + 1 });
  }
  const key = keys.signer(head.signingKeyId);
  require(key && signed(key, `agent-policy/head/v1\n${canonical(without(head, 'signature'))}`, head.signature),
    'the head is not signed by a key of this manifest');
}

function lastHead(head, at, keys, options) {
  require(head.issuedAt >= (options.issuedSince ?? ''), 'the head is too old');
  const key = keys.signer(head.signingKeyId);
  require(!isLost(key) && (!at.kid || key.kid === at.kid || keys.byKey(key, at.kid) || keys.byRoot(key)),
    'the head is not signed by the key of the chain or by one it vouches for');
}

function parse(args) {
  const options = { files: [], receipts: new Map(), purpose: 'event', start: null };
  for (let i = 0; i < args.length; i++) {
    const value = () => args[++i];
    if (args[i] === '--purpose') options.purpose = value();
    else if (args[i] === '--pin') options.pin = value();
    else if (args[i] === '--root') options.root = value();
    else if (args[i] === '--issued-since') options.issuedSince = value();
    else if (args[i] === '--from') options.start = value().split(',');
    else if (args[i] === '--receipt') { const [seq, hash] = value().split(':'); options.receipts.set(Number(seq), hash); }
    else options.files.push(args[i]);
  }
  if (options.files.length !== 2 || !['event', 'sandbox'].includes(options.purpose)) {
    console.error('usage: node verify.mjs events.json signing-keys.json [--purpose event|sandbox] [--pin KID] [--root KID]'
      + ' [--from SEQ,HASH,KID,TIME] [--receipt SEQ:HASH] [--issued-since TIME]');
    process.exit(2);
  }
  return options;
}

function main() {
  const options = parse(process.argv.slice(2));
  let at = { seq: 0, hash: '0'.repeat(64), kid: options.pin ?? null, time: '', doubt: 0 };
  if (options.start) {
    const [seq, hash, kid, time] = options.start;
    at = { seq: Number(seq), hash, kid, time, doubt: 0 };
  }
  let place = at.seq + 1;
  let rows = 0;
  try {
    const input = read(options.files[0]);
    const keys = readKeys(read(options.files[1]), options);
    const heads = [];
    const hashes = new Map([[at.seq, at.hash]]);
    for (const part of Array.isArray(input) ? input : [input]) {
      for (const row of part?.events ?? [part]) {
        place = Number.isSafeInteger(row?.seq) ? row.seq : at.seq + 1;
        at = step(row, at, keys);
        const receipt = options.receipts.get(row.seq);
        require(!receipt || receipt === row.hash, 'the row is not the one whose hash was given out earlier');
        hashes.set(row.seq, row.hash);
        rows++;
      }
      if (part?.events && part.head) heads.push([part.head, at.seq]);
    }
    place = at.doubt;
    require(!at.doubt, 'the row was signed by a compromised key and nothing vouches for it');
    place = at.seq + 1;
    for (const [seq, hash] of options.receipts) {
      require(seq <= at.seq, 'the chain ends here, but a later row was given out earlier');
      require(seq !== at.seq || hash === at.hash, 'the row is not the one whose hash was given out earlier');
    }
    heads.forEach(([head, upTo], i) => {
      place = Number.isSafeInteger(head?.seq) ? head.seq : at.seq;
      headOnTheWay(head, upTo, heads[i - 1]?.[0], at, hashes, keys);
    });
    if (heads.length) lastHead(heads.at(-1)[0], at, keys, options);
  } catch (broken) {
    console.log(`broken at seq ${broken.seq ?? place}: ${broken.message}`);
    process.exit(1);
  }
  console.log(`ok ${rows} rows, head ${at.hash}`);
}

main();
