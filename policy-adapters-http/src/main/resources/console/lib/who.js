/** Shares who is signed in between all tabs of this browser. They share one session, so no tab may continue as another user. */
const NAME = 'signed-in';

export function tellWho(user) {
  try {
    if (user === null) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, user.userId);
  } catch {
    // Without storage the other tabs find out when they ask the service.
  }
}

/** Runs an action once another tab signs in as another user, or signs out. Returns a function that stops this. */
export function whenSomebodyElse(user, work) {
  const hear = (event) => {
    if ((event.key === NAME || event.key === null) && event.newValue !== user.userId) work();
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}

/** The id of the user who is signed in; empty where there is no storage. */
export function signedInAs() {
  try {
    return localStorage.getItem(NAME) ?? '';
  } catch {
    return '';
  }
}
