/** Dialogs, built on the browser's own, which keep the focus inside and return it afterwards. */
import { html, useEffect, useRef } from '../lib/html.js';
import { Button } from './field.js';
import { ErrorBox } from './states.js';

/** A dialog that is open while it is rendered. Without `onClose` only its own buttons close it. */
export function Dialog({ title, onClose, children, class: kind = '' }) {
  const dialog = useRef(null);
  useEffect(() => {
    const element = dialog.current;
    element.showModal();
    // What is behind an open dialog cannot get the focus; closing it gives the focus back.
    return () => element.close();
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    onClose?.();
  };
  const stay = (event) => {
    if (event.key === 'Escape' && !onClose) event.preventDefault();
  };
  return html`
    <dialog ref=${dialog} class=${kind} aria-labelledby="dialog-title" onCancel=${cancel} onKeyDown=${stay}>
      <h2 id="dialog-title" tabindex="-1" autofocus>${title}</h2>
      ${children}
    </dialog>`;
}

/** Asks for confirmation of something that cannot be undone. */
export function Confirm({ title, children, yes, isBusy, error, onYes, onNo, isDangerous }) {
  return html`
    <${Dialog} title=${title} onClose=${onNo}>
      ${children}
      <${ErrorBox} error=${error} />
      <div class="actions">
        <${Button} class=${isDangerous ? 'danger' : 'primary'} isBusy=${isBusy} onClick=${onYes}>${yes}<//>
        <button type="button" onClick=${onNo}>Cancel</button>
      </div>
    <//>`;
}
