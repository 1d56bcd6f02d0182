/** Proofs of the transparency log (docs/verify.md, Proofs): texts of C2SP, checked with WebCrypto alone. */
import { canonical, digest, fromBase64Url, insist, isOf, isSigned, readStrictly, sha256, toBase64Url, without } from './canonical.js';

const NUMBER = '(?:0|[1-9][0-9]{0,14})';
const HASH = '[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=';
const BASE64 = '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)';
const NAME = '[^\\x00-\\x20+\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const LINE = '[^\\x00-\\x1f]+\n';
const PROOF = new RegExp(`^c2sp[.]org/tlog-proof@v1\nextra (${BASE64})\nindex (${NUMBER})\n((?:${HASH}\n){0,63})\n`
  + `((${LINE})(${NUMBER})\n(${HASH})\n(?:${LINE})*)\n((?:\u2014 ${NAME} ${BASE64}\n){1,100})$`, 'u');
const VERIFIER_KEY = new RegExp(`^(${NAME})[+]([0-9a-f]{8})[+](${BASE64})$`, 'u');
const OF_LOG = 1;
const OF_WITNESS = 4;

const utf8 = (text) => new TextEncoder().encode(text);
const decoded = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => Array.from(part)));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16));
const check = (condition) => { if (!condition) throw new Error('It has another form.'); };

/** A key that signs notes; no signature of another type than those above is checked. */
const noteKey = async (name, type, key) => ({ name, type, key, x: toBase64Url(key), id: toHex((await digest(joined(utf8(`${name}\n`), [type], key))).subarray(0, 4)) });

async function readNoteKey(text) {
  const [, name, id, typed] = VERIFIER_KEY.exec(text) ?? [];
  check(name);
  const raw = decoded(typed);
  check(raw.length >= 2);
  const key = await noteKey(name, raw[0], raw.subarray(1));
  if ([OF_LOG, OF_WITNESS].includes(key.type)) check(raw.length === 33 && key.id === id);
  return key;
}

/** When a note was signed by a key, in seconds, 0 for a log; null if it was not. A forged signature breaks the note. */
async function signedAt(key, { text, lines }) {
  const isOfWitness = key.type === OF_WITNESS;
  const from = isOfWitness ? 12 : 4;
  let found = null;
  for (const [, name, value] of lines.map((line) => line.split(' '))) {
    const raw = decoded(value);
    if (name !== key.name || toHex(raw.subarray(0, 4)) !== key.id || !(isOfWitness || key.type === OF_LOG)) continue;
    insist(raw.length === from + 64, 'a signature of the checkpoint is wrong');
    const time = isOfWitness ? new DataView(raw.buffer).getBigUint64(4) : 0n;
    const message = isOfWitness ? `cosignature/v1\ntime ${time}\n${text}` : text;
    insist(await isSigned(key, message, toBase64Url(raw.subarray(from))), 'a signature of the checkpoint is wrong');
    found = Number(time);
  }
  return found;
}

/** Reads a file of C2SP tlog-policy: logs, and by their names witnesses and groups, of which one is the quorum. */
export async function readPolicy(raw) {
  const policy = { logs: [], witnesses: [], parties: new Map(), quorum: null };
  const used = new Set();
  const text = Array.from(raw, (byte) => String.fromCharCode(byte)).join('');
  const asUtf8 = (word) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(word, (c) => c.charCodeAt(0)));
  const unused = (name) => policy.parties.has(name) && !used.has(name) && used.add(name);
  check(!/[\x00-\x08\x0b-\x1f\x7f]/.test(text));
  for (const line of text.split('\n')) {
    const words = line.match(/[^ \t]+/g) ?? [];
    if (words.length === 0 || words[0][0] === '#') continue;
    const [word, name, first, ...more] = words;
    const isTaken = name === 'none' || policy.parties.has(name);
    check(name !== undefined);
    if (word === 'log') {
      check(more.length === 0 && policy.logs.push(await readNoteKey(asUtf8(name))));
    } else if (word === 'quorum') {
      check(first === undefined && policy.quorum === null && isTaken);
      policy.quorum = name;
    } else if (word === 'witness') {
      check(!isTaken && first !== undefined && more.length < 2);
      const key = await readNoteKey(asUtf8(first));
      check(key.type !== OF_LOG);
      policy.witnesses.push(key);
      policy.parties.set(name, key);
    } else {
      const least = first === 'all' ? more.length : first === 'any' ? 1 : /^[1-9][0-9]{0,8}$/.test(first) ? Number(first) : 0;
      check(word === 'group' && !isTaken && least > 0 && least <= more.length && more.every(unused));
      policy.parties.set(name, { least, members: more });
    }
  }
  check(policy.quorum !== null);
  for (const keys of [policy.logs, policy.witnesses]) check(new Set(keys.map(({ x }) => x)).size === keys.length);
  return policy;
}

function isMet(parties, cosigned, name) {
  const party = parties.get(name);
  return name === 'none' || cosigned.includes(party)
    || party.members?.filter((member) => isMet(parties, cosigned, member)).length >= party.least;
}

/** Reads a proof that a row is in the transparency log; nothing of it is checked. */
export function readProof(raw) {
  const all = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  const [, extra, index, hashes, text, origin, size, root, lines] = PROOF.exec(all) ?? [];
  check(extra);
  const logged = readStrictly(decoded(extra));
  check(isOf('logged', logged) && logged.rows.length > 0);
  return { ...logged, text, root, index: Number(index), size: Number(size), origin: origin.slice(0, -1),
    hashes: hashes.split('\n').slice(0, -1).map(decoded), lines: lines.split('\n').slice(0, -1) };
}

/** The root above a leaf (RFC 9162, section 2.1.3.2) in base64, or null when there are too many or too few hashes. */
async function climb({ index, size, hashes }, leaf) {
  let [at, last, hash] = [index, size - 1, leaf];
  if (at > last) return null;
  const half = () => { at = Math.floor(at / 2); last = Math.floor(last / 2); };
  for (const sibling of hashes) {
    if (last === 0) return null;
    const isRight = at % 2 === 1 || at === last;
    hash = await digest(isRight ? joined([1], sibling, hash) : joined([1], hash, sibling));
    while (isRight && at % 2 === 0 && at > 0) half();
    half();
  }
  return last === 0 ? btoa(String.fromCharCode(...hash)) : null;
}

/**
 * Holds a proof against a chain that was verified: `chain` is {userId, seq, hashes}, `keys` are those of the manifest. Returns
 * {index, witnesses, cosigned, at}: how many of the policy's witnesses have cosigned, and when the last of them did, in
 * seconds; without a policy, `witnesses` is null.
 */
export async function checkProof(proof, policy, chain, keys) {
  const { seq, rows, userId } = proof;
  insist(userId === chain.userId, 'the proof is for another user', seq);
  for (const [i, row] of rows.entries()) {
    insist(row.seq === seq + i && row.userId === userId && (i === 0 || row.prevHash === rows[i - 1].hash)
      && await sha256(`agent-policy/event/v1\n${canonical(without(row, 'hash', 'signature'))}`) === row.hash,
    'the rows of the proof do not follow each other', seq);
  }
  insist(seq <= chain.seq, 'the chain ends here, but there is a proof of a later row', chain.seq + 1);
  for (const row of rows) insist((chain.hashes.get(row.seq) ?? row.hash) === row.hash, 'the row is not the one that was logged', row.seq);
  try {
    const ofManifest = () => Promise.all(keys.logs.map(({ x }) => noteKey(proof.origin, OF_LOG, fromBase64Url(x))));
    const logs = policy?.logs.length ? policy.logs : await ofManifest();
    const signed = await Promise.all(logs.filter(({ name }) => name === proof.origin).map((key) => signedAt(key, proof)));
    insist(signed.some((time) => time !== null), 'the checkpoint of the proof is not signed by the log');
    const leaf = await digest(joined([0], fromBase64Url(proof.commitment), fromHex(rows.at(-1).hash)));
    insist(await climb(proof, leaf) === proof.root, 'the row of the proof is not in the log');
    if (!policy) return { index: proof.index, witnesses: null, cosigned: 0, at: 0 };
    const times = await Promise.all(policy.witnesses.map((key) => signedAt(key, proof)));
    const cosigned = policy.witnesses.filter((_, i) => times[i] !== null);
    insist(isMet(policy.parties, cosigned, policy.quorum),
      `the checkpoint is witnessed by ${cosigned.length} of ${policy.witnesses.length}, which is no quorum`);
    return { index: proof.index, witnesses: policy.witnesses.length, cosigned: cosigned.length, at: Math.max(0, ...times) };
  } catch (broken) {
    broken.seq ??= seq;
    throw broken;
  }
}

/** Where a row is in the log and who has witnessed it, in words. */
export const inLog = ({ index, witnesses, cosigned }) => `in the log at index ${index}, `
  + (witnesses === null ? 'witnesses not checked' : `witnessed by ${cosigned} of ${witnesses}`);

/** What the cosignatures of a proof claim: how many there are, and when the last was made, in seconds. Nothing is checked. */
export function claimed({ lines }) {
  const times = lines.map((line) => decoded(line.split(' ')[2])).filter((raw) => raw.length === 76)
    .map((raw) => Number(new DataView(raw.buffer).getBigUint64(4)));
  return { count: times.length, at: Math.max(0, ...times) };
}
