/** The console: the signed-in user, the current page, and its frame. */
import { html, render, useEffect, useState } from './lib/html.js';
import { callOnce, whenSignedOut } from './lib/api.js';
import { forgetDrafts } from './lib/load.js';
import { navigate, usePath } from './lib/router.js';
import { useStream } from './lib/stream.js';
import { viewAs } from './lib/viewing.js';
import { tellWho, whenSomebodyElse } from './lib/who.js';
import { ConfirmationRequests } from './ui/confirmation.js';
import { keepFocus } from './ui/keep-focus.js';
import { LiveRegion } from './ui/live.js';
import { ErrorBox, Loading } from './ui/states.js';
import { Shell } from './ui/shell.js';
import { FromMail, linkOfMail } from './pages/from-mail.js';
import { SignIn, SignInAgain } from './pages/sign-in.js';
import { Page } from './pages/page.js';
import { fetchPage, pageOf, prefetchPages } from './pages/pages.js';

/** Asks once who is signed in; being signed out is a valid answer, not an error. */
function useUser() {
  const [state, setState] = useState({ isKnown: false, user: null, error: null });
  const ask = async () => {
    try {
      setState({ isKnown: true, user: await callOnce('GET', '/me'), error: null });
    } catch (error) {
      setState({ isKnown: error.status === 401, user: null, error: error.status === 401 ? null : error });
    }
  };
  useEffect(() => { ask(); }, []);
  const { isKnown, user } = state;
  useEffect(() => {
    if (!isKnown) return undefined;
    tellWho(user);
    return user === null ? undefined : whenSomebodyElse(user, () => {
      forgetDrafts();
      location.reload();
    });
  }, [isKnown, user?.userId]);
  return { ...state, ask, become: (user) => setState({ isKnown: true, user, error: null }) };
}

/** A promise that resolves when the dialog that asks for the password closes. */
function useSignInAgain(user, onSignedOut) {
  const [settle, setSettle] = useState(null);
  useEffect(() => {
    if (user?.viewer) {
      whenSignedOut(async () => {
        onSignedOut();
        return false;
      });
      return;
    }
    whenSignedOut(user === null ? null : () => new Promise((resolve) => setSettle(() => resolve)));
    // The user signed out meanwhile, so nobody answers the dialog.
    if (user === null && settle) {
      setSettle(null);
      settle(false);
    }
  }, [user]);
  const end = (person) => {
    setSettle(null);
    if (person && person.userId !== user.userId) {
      forgetDrafts();
      location.reload();
    }
    settle(person !== null);
    if (person === null) onSignedOut();
  };
  return settle && html`<${SignInAgain} email=${user.email} onEnd=${end} />`;
}

/** What index.html shows before any script runs. */
const Frame = () => html`
  <header class="side"><div class="brand-row"><span class="brand"><span class="logo" aria-hidden="true"></span><span class="name">Agent Policy</span></span></div></header>
  <main><${Loading} /></main>`;

function App() {
  const path = usePath();
  const person = useUser();
  viewAs(person.user);
  useStream(person.user);
  useEffect(() => { if (person.user) prefetchPages(); }, [person.user?.userId]);
  const signedOut = () => {
    forgetDrafts();
    person.become(null);
    navigate('/');
  };
  const again = useSignInAgain(person.user, signedOut);
  const signOut = async () => {
    await callOnce('DELETE', '/session');
    signedOut();
  };
  if (person.error) return html`<main class="alone"><${ErrorBox} error=${person.error} retry=${person.ask} /></main>`;
  if (!person.isKnown) return html`<${Frame} />`;
  if (person.user === null) return html`<${SignIn} path=${path} onSignedIn=${person.become} />`;
  return html`
    <${Shell} path=${path} user=${person.user} signOut=${signOut}>
      <${Page} path=${path} user=${person.user} />
    <//>
    <${ConfirmationRequests} />
    ${again}`;
}

// Begun before it is known who is signed in; if it fails, the page fetches it again.
fetchPage(pageOf(location.pathname).page).catch(() => {});
// A link in a mail that is opened where the page to sign in is open already changes only what is behind the #.
addEventListener('hashchange', () => { if (linkOfMail()) location.reload(); });

const link = linkOfMail();
const root = document.getElementById('app');
keepFocus(root);
root.replaceChildren();
render(html`${link ? html`<${FromMail} ...${link} />` : html`<${App} />`}<${LiveRegion} />`, root);
