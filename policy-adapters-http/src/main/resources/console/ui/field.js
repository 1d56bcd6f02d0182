/** Form fields with a label, a hint, and an error beside the field. */
import { html, useState } from '../lib/html.js';

/** An input with label, hint and error; a password can be shown. Other properties are passed to the input. */
export function Field({ id, label, hint, error, unit, value, onInput, children, class: kind = '', ...rest }) {
  const [isShown, show] = useState(false);
  const isPassword = rest.type === 'password';
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const shared = {
    id, name: id, 'aria-describedby': described, 'aria-invalid': error ? 'true' : undefined,
    onInput: (event) => onInput(event.currentTarget.value), ...rest,
  };
  return html`
    <div class=${`field ${kind}`}>
      <label for=${id}>${label}</label>
      ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
      <div class="input">
        ${children ? html`<select value=${value} ...${shared}>${children}</select>`
          : rest.rows ? html`<textarea value=${value} ...${shared}></textarea>`
            : html`<input value=${value} ...${shared} type=${isShown ? 'text' : rest.type} />`}
        ${isPassword && html`<button type="button" class="small" aria-pressed=${String(isShown)} onClick=${() => show(!isShown)}>Show<span class="quiet"> ${label}</span></button>`}
        ${unit && html`<span class="unit" aria-hidden="true">${unit}</span>`}
      </div>
      ${error && html`<p class="error" id=${`${id}-error`}>${error}</p>`}
    </div>`;
}

/** A group of check boxes. */
export function Choices({ legend, hint, options, chosen, onChange, error }) {
  const toggle = (name, isOn) => onChange(options.map((o) => o.name).filter((n) => (n === name ? isOn : chosen.includes(n))));
  return html`
    <fieldset class="choices">
      <legend>${legend}</legend>
      ${hint && html`<p class="hint">${hint}</p>`}
      ${options.map((option) => html`
        <label class="tick">
          <input type="checkbox" checked=${chosen.includes(option.name)}
            onChange=${(event) => toggle(option.name, event.currentTarget.checked)} />
          <span>${option.label}${option.hint && html`<small>${option.hint}</small>`}</span>
        </label>`)}
      ${error && html`<p class="error" role="alert">${error}</p>`}
    </fieldset>`;
}

/** A button that shows progress and cannot be pressed twice, nor while it is disabled; it keeps the focus. */
export const Button = ({ isBusy, isDisabled, busy = 'Working…', children, class: kind = '', onClick, ...rest }) => html`
  <button type="button" class=${kind} aria-disabled=${isBusy || isDisabled ? 'true' : undefined} onClick=${isDisabled ? undefined : onClick} ...${rest}>
    ${isBusy ? busy : children}
  </button>`;
