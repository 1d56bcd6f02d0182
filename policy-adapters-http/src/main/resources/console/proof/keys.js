/** The keys of the manifest (docs/reference/events.md, Keys): each proves its own id, and some vouch for others. */
import { canonical, fromBase64Url, insist, isSigned, thumbprint, without } from './canonical.js';

export const isLost = (key) => key.revocationReason === 'compromise';

/** Reads a manifest; refuses it when a key is not the one its id names or its signature is wrong. */
export async function readKeys(manifest, { purpose = 'event', root = null } = {}) {
  const all = new Map();
  for (const key of manifest.keys) {
    const jwk = `{"crv":"Ed25519","kty":"OKP","x":${JSON.stringify(key.x)}}`;
    insist(fromBase64Url(key.x, 32) !== null && key.kty === 'OKP' && key.crv === 'Ed25519' && await thumbprint(jwk) === key.kid,
      `the key ${key.kid} is not the one its id names`);
    all.set(key.kid, key);
  }
  if (manifest.signature) await checkManifest(manifest, all);
  return new Keys(all, purpose, root);
}

async function checkManifest(manifest, all) {
  const key = all.get(manifest.signature.keyId);
  const text = `agent-policy/manifest/v1\n${canonical(without(manifest, 'signature'))}`;
  insist(key && ['anchor', 'root'].includes(key.purpose) && key.status !== 'revoked'
    && await isSigned(key, text, manifest.signature.value), 'the manifest is not signed by its anchor or root key');
}

/** The keys that may sign one kind of chain. */
class Keys {
  #all;
  #purpose;
  #root;

  constructor(all, purpose, root) {
    this.#all = all;
    this.#purpose = purpose;
    this.#root = root;
  }

  /** The key of this id, if it may sign rows and heads. */
  signer(kid) {
    const key = this.#all.get(kid);
    return key?.purpose === this.#purpose ? key : undefined;
  }

  /** Whether a root key vouches for a key. */
  isByRoot(key) {
    return this.#isAttested(key, (voucher) => voucher.purpose === 'root' && (!this.#root || voucher.kid === this.#root));
  }

  /** Whether the key that signs the chain vouches for a key. */
  isByKey(key, kid) {
    return this.#isAttested(key, (voucher) => voucher === this.signer(kid));
  }

  async #isAttested(key, by) {
    const { kid, x, purpose, validFrom } = key;
    const text = `agent-policy/key/v1\n${canonical({ kid, x, purpose, validFrom })}`;
    for (const attestation of key.attestations ?? []) {
      const voucher = this.#all.get(attestation.byKeyId);
      if (voucher && by(voucher) && !isLost(voucher) && await isSigned(voucher, text, attestation.signature)) return true;
    }
    return false;
  }
}
