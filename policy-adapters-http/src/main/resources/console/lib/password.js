/** How long a new password must be (docs/reference/sign-in.md). */
export const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 128;

/** Why a new password is too short or too long, in words; null if it is neither. The service counts code points, too. */
export function passwordProblem(password) {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return `Use at least ${MIN_PASSWORD_LENGTH} characters; you have ${length}.`;
  return length > MAX_PASSWORD_LENGTH ? `Use at most ${MAX_PASSWORD_LENGTH} characters; you have ${length}.` : null;
}
