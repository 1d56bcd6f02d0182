/** Calls to the app API. An error says what went wrong and what to do. If the session has ended, the user signs in and the call continues. */
const BASE = '/api/app/v1';

/** A failed call. `advice` is what the user can do about it. */
export class ApiError extends Error {
  constructor(status, body = {}, retryAfter = null) {
    super(body.message ?? 'The service could not be reached.');
    this.status = status;
    this.code = body.error ?? 'unreachable';
    this.violations = body.violations ?? [];
    this.request = body.request ?? null;
    this.results = body.results ?? [];
    this.requestId = body.requestId ?? null;
    this.retryAfter = retryAfter;
    this.advice = advice(status, this.code, retryAfter, this.requestId);
  }
}

const ADVICE = {
  unauthorized: 'Sign in and try again.',
  invalid_payload: 'Correct the fields named above and try again.',
  invalid_parameter: 'Go back and choose again.',
  sign_up_closed: 'Ask the operator of this service for an account.',
  email_taken: 'Sign in instead, or use another address.',
  policy_blocked: 'Reject the request, or change the policy and accept again.',
  custodian_refused: 'Check the key id, the secret key, and whether they belong to a paper or a live account.',
  is_a_connection: 'End the connection instead, and connect the program again.',
  custodian_exists: 'Reload the page and try again.',
  order_under_way: 'Cancel the order on the page Requests or wait for its end, then try again.',
  not_accepted: 'Reject the request instead.',
  not_executed: 'Look at your holdings at the custodian, then accept again or reject.',
  too_many: 'Revoke a key you no longer need first.',
  wrong_password: 'Enter the password that you sign in with.',
  confirmation_required: 'Enter the password that you sign in with, or use a passkey.',
  invalid_passkey: 'Try again with a passkey of this account.',
  passkey_required: 'Add a passkey on the page Account.',
  changed: 'Reload the page and look again.',
  no_ips: 'Save a policy first.',
  no_portfolio_snapshot: 'Enter what you hold, or sync your custodian, then try again.',
  not_found: 'It may have been removed. Go back and reload the list.',
  already_resolved: 'There is nothing more to do.',
};

function advice(status, code, retryAfter, requestId) {
  if (status === 0) return 'Check your connection and try again. What you typed is still here.';
  if (status === 429) return `Wait ${seconds(retryAfter)} and try again. What you typed is still here.`;
  if (status === 503) return 'Nothing was changed. Try again in a moment; what you typed is still here.';
  if (status >= 500) return `Try again. If it happens again, give the operator this number: ${requestId ?? 'none'}.`;
  return ADVICE[code] ?? 'Reload the page and try again.';
}

const seconds = (retryAfter) => (retryAfter === null ? 'a few seconds' : retryAfter === '1' ? 'a second' : `${retryAfter} seconds`);

/** How often a call is repeated that exceeded the rate limit of the session, before the user sees an error. */
const MAX_WAITS = 5;

let signInAgain = null;
let asking = null;
let askConfirmation = null;

/** Calls whose pages ask for the confirmation themselves. */
const HAS_OWN_QUESTION = /^\/(me|passkeys|connections|portfolio\/peak)\b/;

/** Sets the function that asks for the password when a session has ended; it resolves to whether the user signed in. */
export function whenSignedOut(ask) {
  signInAgain = ask;
}

/**
 * Sets the function that asks who is there when a call is to be confirmed. It gets the call and its error, and resolves to the
 * JSON of the confirmed call, or rejects with that error.
 */
export function whenUnconfirmed(ask) {
  askConfirmation = ask;
}

/** Whether the last call reached the service, and when one last did. Whoever listens is told of changes by the event `reach`. */
export const reach = Object.assign(new EventTarget(), { isAway: false, at: Date.now() });

function tellReach(isAway) {
  if (!isAway) reach.at = Date.now();
  if (reach.isAway === isAway) return;
  reach.isAway = isAway;
  reach.dispatchEvent(new Event('reach'));
}

async function send(method, path, body) {
  const options = { method, headers: {}, credentials: 'same-origin', cache: 'no-store' };
  if (body !== undefined) {
    options.headers['Content-Type'] = 'application/json';
    options.body = JSON.stringify(body);
  }
  try {
    const answer = await fetch(path, options);
    tellReach(false);
    return answer;
  } catch {
    tellReach(true);
    throw new ApiError(0);
  }
}

async function failure(answer) {
  const body = await answer.json().catch(() => ({}));
  return new ApiError(answer.status, body, answer.headers.get('Retry-After'));
}

/** The answer to a call, after signing in again if that was needed. */
async function answered(method, path, body, waits = 0) {
  const answer = await send(method, path, body);
  if (answer.ok) return answer;
  const error = await failure(answer);
  if (error.code === 'rate_limit_exceeded' && waits < MAX_WAITS) {
    await new Promise((resolve) => { setTimeout(resolve, 1000 * Number(error.retryAfter ?? 1)); });
    return answered(method, path, body, waits + 1);
  }
  if (error.status !== 401 || signInAgain === null) throw error;
  asking ??= signInAgain().finally(() => { asking = null; });
  if (await asking) return answered(method, path, body);
  throw error;
}

/** The JSON of an answer; null for one without a body. */
async function content(answer) {
  const text = await answer.text();
  return text === '' ? null : JSON.parse(text);
}

/** Calls the app API and reads its JSON. */
export async function call(method, path, body) {
  try {
    return await content(await answered(method, BASE + path, body));
  } catch (error) {
    const isOwn = HAS_OWN_QUESTION.test(path) || body?.confirmation !== undefined;
    if (error.code !== 'confirmation_required' || isOwn || askConfirmation === null) throw error;
    return askConfirmation({ method, path, body, error });
  }
}

/** Calls without asking for a password: for signing in or out, and for the first check of the session. */
export async function callOnce(method, path, body) {
  const answer = await send(method, BASE + path, body);
  if (!answer.ok) throw await failure(answer);
  return content(answer);
}

/** The unchanged bytes of an answer, for verification; any path of this service. */
export async function bytes(path) {
  const answer = await answered('GET', path);
  return answer.arrayBuffer();
}

const begun = new Map();

/** Reads. What several parts of a page ask for at the same time is asked for once. */
export function get(path) {
  if (!begun.has(path)) {
    begun.set(path, Promise.resolve().then(() => {
      begun.delete(path);
      return call('GET', path);
    }));
  }
  return begun.get(path);
}

export const post = (path, body) => call('POST', path, body);
export const patch = (path, body) => call('PATCH', path, body);
export const put = (path, body) => call('PUT', path, body);
export const remove = (path) => call('DELETE', path);

/** The resource, or null if there is none yet. */
export async function getIfAny(path) {
  try {
    return await get(path);
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** A path with query parameters; those without a value are left out. */
export function query(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
