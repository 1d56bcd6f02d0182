// Opens a push message as a browser does, with the library that the npm package web-push is made with, and checks who sent it.
// Input: a JSON object of the private key and the secret of the browser, and of the message: body, authorization, endpoint.
import { createECDH, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import ece from 'http_ece';

const sent = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const browser = createECDH('prime256v1');
browser.setPrivateKey(Buffer.from(sent.privateKey, 'base64url'));
const text = ece.decrypt(Buffer.from(sent.body, 'base64url'), { version: 'aes128gcm', privateKey: browser, authSecret: sent.secret });

const [, token, key] = /^vapid t=([^,]+), k=([A-Za-z0-9_-]+)$/.exec(sent.authorization);
const [header, claims, signature] = token.split('.');
const point = Buffer.from(key, 'base64url');
const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
const isSigned = verify('sha256', Buffer.from(`${header}.${claims}`),
  { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url'));
const hours = (exp - Date.now() / 1000) / 3600;
console.log(JSON.stringify({ message: JSON.parse(text), key, isSigned, aud, isShort: hours > 0 && hours <= 24 }));
