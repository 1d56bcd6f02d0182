// Verifies the signed acceptances of a page of events with @simplewebauthn/server, and nothing of the service.
// EVENTS is the file of the page, ORIGIN the address of the console.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64url'));

/** RFC 8785, for objects without numbers that are no integers. */
const canonical = (value) => (value === null || typeof value !== 'object' ? JSON.stringify(value)
  : `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`);

/** A JWK as a COSE key, which the library wants. */
function cose({ alg, x, y, n, e }) {
  const members = {
    ES256: () => [[1, 2], [3, -7], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]],
    EdDSA: () => [[1, 1], [3, -8], [-1, 6], [-2, bytes(x)]],
    RS256: () => [[1, 3], [3, -257], [-1, bytes(n)], [-2, bytes(e)]],
  };
  return isoCBOR.encode(new Map(members[alg]()));
}

const { events } = JSON.parse(readFileSync(process.env.EVENTS, 'utf8'));
const passkeys = new Map(events.filter(({ payload }) => payload?.keyClass === 'passkey').map(({ payload }) => [payload.credentialId, payload]));
for (const { payload } of events.filter((row) => row.payload?.attestation?.passkey)) {
  const { attested, passkey } = payload.attestation;
  const { publicKey, rpId } = passkeys.get(passkey.credentialId);
  const challenge = createHash('sha256').update(`agent-policy/attestation/v1\n${canonical(attested)}`).digest('base64url');
  const { credentialId: id, ...response } = passkey;
  const { verified } = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: challenge,
    expectedOrigin: process.env.ORIGIN,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: { id, publicKey: cose(publicKey), counter: 0 },
  });
  console.log(`${verified ? 'signed' : 'refused'} ${attested.serviceRequestId} ${publicKey.alg}`);
}
