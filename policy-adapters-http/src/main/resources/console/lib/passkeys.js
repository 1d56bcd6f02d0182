/**
 * Passkeys: registering one, signing in, and signing (docs/reference/passkeys.md). The forms of the API are those of
 * WebAuthn in JSON; the browser wants bytes. A user who cancels makes these functions throw an error with advice.
 */
import { callOnce, post } from './api.js';

/** Whether this browser has passkeys here; only over https or at localhost do browsers offer them. */
export const canUsePasskeys = () => globalThis.isSecureContext && typeof globalThis.PublicKeyCredential === 'function';

const toBytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

/** The base64url of an ArrayBuffer; null for none. */
const toText = (buffer) => (buffer
  ? btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') : null);

const descriptors = (list) => list.map((each) => ({ ...each, id: toBytes(each.id) }));

/** What the authenticator answers; browsers do not say why there is no answer. */
const answer = (asked) => asked.catch(() => {
  throw Object.assign(new Error('No passkey was used.'), { advice: 'Try again, and choose a passkey of this account.' });
});

const common = (credential) => ({
  id: credential.id,
  rawId: toText(credential.rawId),
  type: credential.type,
  clientExtensionResults: credential.getClientExtensionResults(),
});

/** Has the authenticator sign a challenge; returns AuthenticationResponseJSON. */
async function sign(options) {
  const publicKey = { ...options, challenge: toBytes(options.challenge), allowCredentials: descriptors(options.allowCredentials) };
  const credential = await answer(navigator.credentials.get({ publicKey }));
  const { authenticatorData, clientDataJSON, signature, userHandle } = credential.response;
  return {
    ...common(credential),
    response: {
      authenticatorData: toText(authenticatorData), clientDataJSON: toText(clientDataJSON),
      signature: toText(signature), userHandle: toText(userHandle),
    },
  };
}

/**
 * Makes a passkey and registers it. Every one but the first needs `confirmation`: {password}, or {passkey} of `confirm`.
 * Returns the passkey.
 */
export async function registerPasskey(name, confirmation = {}) {
  const options = await post('/passkeys/options', {});
  const credential = await answer(navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: descriptors(options.excludeCredentials),
    },
  }));
  const { attestationObject, clientDataJSON } = credential.response;
  return post('/passkeys', {
    name,
    credential: {
      ...common(credential),
      response: {
        attestationObject: toText(attestationObject), clientDataJSON: toText(clientDataJSON),
        transports: credential.response.getTransports(),
      },
    },
    ...confirmation,
  });
}

/** Signs in with a passkey that the user chooses; returns the user, as a sign-in with a password does. */
export async function signInWithPasskey() {
  return callOnce('POST', '/session/passkey', await sign(await callOnce('POST', '/session/passkey/options', {})));
}

/** A proof that the user is there: what calls take as `passkey` that must be confirmed. */
export async function confirm() {
  return sign(await post('/session/passkey/options', {}));
}

/** Signs the acceptance of a request; the result is the `passkey` of `POST /requests/{id}/accept`. */
export async function signAcceptance(requestId) {
  return sign(await post(`/requests/${requestId}/passkey-options`, {}));
}
