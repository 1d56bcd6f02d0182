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

export const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The types and forms of docs/verify/forms.txt. "=" gives the form of a text, and ":" the members of an object: "?" may be
 * absent or null, "..." allows others, [x] is a list, =x is that text alone, [=x] is a list of it. */
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
export function isOf(form, value) {
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

/** Reads one JSON document in UTF-8 without a byte order mark; throws Broken when it lies outside of the profile. */
export function readStrictly(bytes) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const document = JSON.parse(text);
  const wrong = outside(text);
  insist(wrong === null, wrong);
  return document;
}

export const toBase64Url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The bytes of a text of the form `bytes`. */
export const fromBase64Url = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

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
    imported.set(x, await crypto.subtle.importKey('raw', fromBase64Url(x), { name: 'Ed25519' }, false, ['verify']));
  }
  return imported.get(x);
}

/** Whether a key of the manifest signed a text. */
export async function isSigned(key, text, signature) {
  return crypto.subtle.verify({ name: 'Ed25519' }, await publicKey(key.x), fromBase64Url(signature), UTF8.encode(text));
}
