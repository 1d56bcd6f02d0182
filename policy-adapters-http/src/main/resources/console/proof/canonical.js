/** The canonical form of docs/reference/events.md, strict reading of JSON, hashes and signatures, on WebCrypto alone. */

/** Why a chain is broken; `seq` is the row, if it is known here and not only by the caller, `missing` how many rows its end lacks. */
export class Broken extends Error {
  constructor(why, seq, missing = 0) {
    super(why);
    this.seq = seq;
    this.missing = missing;
  }
}

export function insist(condition, why, seq) {
  if (!condition) throw new Broken(why, seq);
}

/** Whether a value is a text of a form. */
export const is = (form, value) => typeof value === 'string' && form.test(value);
export const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
export const HEX = /^[0-9a-f]{64}$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

export const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
export const has = (object, names) => Object.keys(object).sort().join() === [...names].sort().join();

/** An object without some of its members. */
export const without = (object, ...names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

const UTF8 = new TextEncoder();
export const byteLength = (text) => UTF8.encode(text).length;
const CONTROL_OR_BROKEN = /[\u0000-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** RFC 8785 in the profile of the documentation; throws outside of it. */
export function canonical(value, depth = 0) {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    insist(Number.isSafeInteger(value), 'a number is not an integer of at most 2^53-1');
    return String(value === 0 ? 0 : value);
  }
  if (typeof value === 'string') {
    insist(!CONTROL_OR_BROKEN.test(value), 'a text has control characters or broken Unicode');
    return JSON.stringify(value);
  }
  insist(depth < 8, 'the payload nests too deep');
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  return `{${Object.keys(value).sort().map((name) => {
    insist(/^[A-Za-z][A-Za-z0-9_]*$/.test(name), 'a member name is not allowed');
    return `"${name}":${canonical(value[name], depth + 1)}`;
  }).join()}}`;
}

/** Reads JSON and refuses broken UTF-8 and a member that comes twice, which JSON.parse would hide. */
export function readStrictly(bytes) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const document = JSON.parse(text);
  const open = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token.endsWith(':')) {
      const name = JSON.parse(token.slice(0, -1));
      insist(!open.at(-1).has(name), `the member ${JSON.stringify(name)} comes twice`);
      open.at(-1).add(name);
    }
  }
  return document;
}

export const toBase64Url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The bytes of strict base64url; null for any other text. */
export function fromBase64Url(text, length) {
  if (typeof text !== 'string' || !/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  return bytes.length === length && toBase64Url(bytes) === text ? bytes : null;
}

/** The bytes of strict base64url of any length; null for any other text. */
export const anyBytes = (text) => (typeof text === 'string' ? fromBase64Url(text, Math.floor(text.length * 3 / 4)) : null);

/** SHA-256 of bytes. */
export const digest = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
export const thumbprint = async (text) => toBase64Url(await digest(UTF8.encode(text)));
export const sha256 = async (text) => Array.from(await digest(UTF8.encode(text)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whether this browser can check Ed25519; only over https or on this machine do browsers offer it. */
export async function canVerify() {
  try {
    await crypto.subtle.importKey('raw', new Uint8Array(32), { name: 'Ed25519' }, false, ['verify']);
    return true;
  } catch {
    return false;
  }
}

const imported = new Map();

async function publicKey(x) {
  if (!imported.has(x)) {
    imported.set(x, await crypto.subtle.importKey('raw', fromBase64Url(x, 32), { name: 'Ed25519' }, false, ['verify']));
  }
  return imported.get(x);
}

/** Whether a key of the manifest signed a text. */
export async function isSigned(key, text, signature) {
  const raw = fromBase64Url(signature, 64);
  return raw !== null && crypto.subtle.verify({ name: 'Ed25519' }, await publicKey(key.x), raw, UTF8.encode(text));
}
