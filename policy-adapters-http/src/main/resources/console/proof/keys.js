/** The keys of the manifest (docs/reference/events.md, Keys): which of them are trusted, what they may sign, who vouches. */
import { canonical, insist, isOf, isSigned, thumbprint, without } from './canonical.js';

export const isLost = (key) => key.revocationReason === 'compromise';

/** Whether a key was not yet compromised at a time. */
export const isBeforeTheft = (key, time) => !isLost(key) || (key.compromisedSince !== null && time <= key.compromisedSince);

/** The manifest without the keys of purposes that only a later version knows. */
function ofNow(manifest) {
  const isLater = (key) => isOf('later', key?.purpose) && !isOf('purpose', key.purpose);
  return Array.isArray(manifest?.keys) ? { ...manifest, keys: manifest.keys.filter((key) => !isLater(key)) } : manifest;
}

/**
 * Reads a manifest and checks its signature with the keys that are known independently (docs/verify.md, Which keys are
 * trusted); what a key is for is taken from a signed manifest only. No root key is trusted unless it is known.
 */
export async function readKeys(manifest, { purpose = 'event', anchor = null, root = null } = {}) {
  insist(isOf('manifest', ofNow(manifest)), 'the manifest is malformed');
  const all = new Map();
  for (const key of ofNow(manifest).keys) {
    insist(await thumbprint(`{"crv":"Ed25519","kty":"OKP","x":"${key.x}"}`) === key.kid, `the key ${key.kid} is not the one its id names`);
    const isRevoked = key.status === 'revoked';
    insist(isRevoked === (key.revokedAt !== null) && isRevoked === (key.revocationReason !== null), 'the manifest is malformed');
    insist(!all.has(key.kid), `the key ${key.kid} is listed twice`);
    all.set(key.kid, key);
  }
  await checkSignature(manifest, all);
  const signedBy = manifest.signature.keyId;
  const isKnown = signedBy === anchor || signedBy === root;
  const voucher = isKnown ? null : await voucherOf(signedBy, all, [anchor, root]);
  insist(isKnown || voucher || (!anchor && all.get(signedBy).purpose === 'anchor'),
    'the manifest is signed by another key than the anchor key that is known');
  return new Keys(all, purpose, root, { signedBy, voucher, isFirstUse: !isKnown && !voucher });
}

async function checkSignature(manifest, all) {
  insist(manifest.signature ?? null, 'the manifest is not signed');
  const key = all.get(manifest.signature.keyId);
  const text = `agent-policy/manifest/v1\n${canonical(without(manifest, 'signature'))}`;
  insist(key && ['anchor', 'root'].includes(key.purpose) && key.status !== 'revoked'
    && await isSigned(key, text, manifest.signature.value), 'the manifest is not signed by its anchor or root key');
}

function vouches(voucher, key, signature) {
  const { kid, x, purpose, validFrom } = key;
  return isSigned(voucher, `agent-policy/key/v1\n${canonical({ kid, x, purpose, validFrom })}`, signature);
}

/** The known key that vouches for an anchor key, itself or through anchor keys in between; undefined when none does. */
async function voucherOf(kid, all, known) {
  const vouched = new Map(known.filter(Boolean).map((id) => [id, id]));
  const mayVouch = (key) => key && ['anchor', 'root'].includes(key.purpose) && key.status !== 'revoked';
  for (let before = 0; before < vouched.size;) {
    before = vouched.size;
    for (const key of all.values()) {
      for (const { byKeyId, signature } of key.purpose === 'anchor' ? key.attestations : []) {
        const isVouched = !vouched.has(key.kid) && vouched.has(byKeyId) && mayVouch(all.get(byKeyId));
        if (isVouched && await vouches(all.get(byKeyId), key, signature)) vouched.set(key.kid, vouched.get(byKeyId));
      }
    }
  }
  return vouched.get(kid);
}

/** The keys that may sign one kind of chain. */
class Keys {
  #all;
  #purpose;
  #root;

  /** `manifest` says which key signed the manifest, who vouches for that key, and whether it is trusted on first use. */
  constructor(all, purpose, root, manifest) {
    this.#all = all;
    this.#purpose = purpose;
    this.#root = root;
    this.manifest = manifest;
  }

  /** The anchor key to remember. */
  get anchor() {
    return this.#all.get(this.manifest.signedBy).purpose === 'anchor' ? this.manifest.signedBy : null;
  }

  /** The keys that may sign the transparency log. */
  get logs() {
    return [...this.#all.values()].filter(({ purpose, status }) => purpose === 'log' && status !== 'revoked');
  }

  get hasRoot() {
    return Boolean(this.#root);
  }

  /** The key of this id, if it may sign rows, heads and erasures. */
  signer(kid) {
    const key = this.#all.get(kid);
    return key?.purpose === this.#purpose ? key : undefined;
  }

  /** Whether the root key that is known vouches for a key. */
  isByRoot(key) {
    const root = this.#all.get(this.#root);
    return this.#isAttested(key, root?.purpose === 'root' ? root : undefined);
  }

  /** Whether the key that signs the chain vouches for a key. */
  isByKey(key, kid) {
    return this.#isAttested(key, this.signer(kid));
  }

  async #isAttested(key, voucher) {
    if (!voucher || isLost(voucher)) return false;
    for (const { byKeyId, signature } of key.attestations) {
      if (byKeyId === voucher.kid && await vouches(voucher, key, signature)) return true;
    }
    return false;
  }
}
