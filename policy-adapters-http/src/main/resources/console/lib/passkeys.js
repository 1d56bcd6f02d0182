/**
 * Passkeys: registering one, signing in, and signing (docs/reference/passkeys.md). The forms of the API are those of
 * WebAuthn in JSON; the browser wants bytes. Where nothing comes of it, these functions throw an error that says why, as far as
 * browsers tell, with advice.
 */
import { call, callOnce, post } from './api.js';

/** Why there are no passkeys here, and what to do, in words; null where there are. */
export function passkeyProblem() {
  const { hostname, port } = location;
  if (/^[0-9.]+$|^\[/.test(hostname)) {
    const isHere = /^127[.]|^\[::1\]$/.test(hostname);
    return `Passkeys need a name, not an address: open ${isHere ? `http://localhost${port && `:${port}`}` : 'this service by its name, over https'}.`;
  }
  if (!globalThis.isSecureContext) return 'Passkeys need https: open this service at an address that begins with https://.';
  return typeof globalThis.PublicKeyCredential === 'function' ? null : 'This browser has no passkeys: open this service in another one, or update it.';
}

const toBytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

/** The base64url of an ArrayBuffer; null for none. */
const toText = (buffer) => (buffer
  ? btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') : null);

const descriptors = (list) => list.map((each) => ({ ...each, id: toBytes(each.id) }));

/** What went wrong, and what to do, by the name that browsers give it. */
const FAILURES = {
  AbortError: ['The question for a passkey was cancelled.', 'Try again.'],
  InvalidStateError: ['This device has a passkey of this account already.', 'Use that one, or add one of another device.'],
  NotSupportedError: ['This device cannot make a passkey.', 'Use another device, such as a phone or a security key.'],
  ConstraintError: ['This device cannot check that it is you, by finger, face or PIN.', 'Set that up, or use another device.'],
  SecurityError: ['This is not the address at which the service takes passkeys.', 'Open it at the address that the operator gives.'],
};

/** What the authenticator answers to a question that may take this many milliseconds. */
async function answer(ask, { timeout }) {
  const problem = passkeyProblem();
  if (problem) throw Object.assign(new Error(problem), { advice: 'Then try again there.' });
  const begun = performance.now();
  try {
    return await ask();
  } catch (error) {
    // Browsers call it NotAllowedError whether the user cancelled, waited too long, or has no passkey that fits.
    const [words, advice] = FAILURES[error.name] ?? (error.name !== 'NotAllowedError'
      ? [`The browser could not use a passkey: ${error.message}`, 'Try again, or use another browser.']
      : performance.now() - begun >= timeout ? ['No passkey was used in time.', 'Try again, and answer what the browser asks.']
        : ['No passkey was used: you cancelled, or the browser found none that it may use.', 'Try again, and choose a passkey of this account.']);
    throw Object.assign(new Error(words, { cause: error }), { advice });
  }
}

const common = (credential) => ({
  id: credential.id,
  rawId: toText(credential.rawId),
  type: credential.type,
  clientExtensionResults: credential.getClientExtensionResults(),
});

/** Has the authenticator sign a challenge; returns AuthenticationResponseJSON. */
async function sign(options) {
  const publicKey = { ...options, challenge: toBytes(options.challenge), allowCredentials: descriptors(options.allowCredentials) };
  const credential = await answer(() => navigator.credentials.get({ publicKey }), options);
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
 * Makes a passkey and registers it. Every one but the first needs a confirmation, as `confirmed` takes it. Returns the passkey.
 */
export async function registerPasskey(name, confirmation = null) {
  const options = await post('/passkeys/options', {});
  const credential = await answer(() => navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: descriptors(options.excludeCredentials),
    },
  }), options);
  const { attestationObject, clientDataJSON } = credential.response;
  return confirmed('POST', '/passkeys', {
    name,
    credential: {
      ...common(credential),
      response: {
        attestationObject: toText(attestationObject), clientDataJSON: toText(clientDataJSON),
        transports: credential.response.getTransports(),
      },
    },
  }, confirmation);
}

/** Signs in with a passkey that the user chooses; returns the user, as a sign-in with a password does. */
export async function signInWithPasskey() {
  return callOnce('POST', '/session/passkey', await sign(await callOnce('POST', '/session/passkey/options', {})));
}

/**
 * Makes a call with a confirmation: {password}, or {passkey: true}, which has a passkey sign this call and no other; null for
 * none.
 */
export async function confirmed(method, path, body, confirmation) {
  if (confirmation === null) return call(method, path, body);
  const proof = confirmation.passkey ? { passkey: await sign(await post('/confirmations', { method, path: path.split('?')[0], body })) } : confirmation;
  return call(method, path, { ...body, confirmation: proof });
}

/** Signs the acceptance of several requests at once; the result is the `passkey` of `POST /requests/accept`. */
export async function signAcceptances(ids) {
  return sign(await post('/requests/passkey-options', { ids }));
}

/** Signs the acceptance of a request; the result is the `passkey` of `POST /requests/{id}/accept`. */
export async function signAcceptance(requestId) {
  return sign(await post(`/requests/${requestId}/passkey-options`, {}));
}
