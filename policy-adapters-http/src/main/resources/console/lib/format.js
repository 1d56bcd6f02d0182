/** Numbers, times and trades in words. Collected here, so that each is written the same way everywhere. */

import { zone } from './preferences.js';

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 8 });
const MONEY = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 });
const CENTS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const MIN_AMOUNT = 1e-8;
const DASH = '–';

const isNothing = (value) => value === null || value === undefined;

export const number = (value) => (isNothing(value) ? DASH : NUMBER.format(Number(value)));

/** Dollars of a trade, limit or input, with all their decimals, and with cents only if there are any. */
export function usd(value) {
  if (isNothing(value)) return DASH;
  const amount = Number(value);
  if (amount !== 0 && Math.abs(amount) < MIN_AMOUNT) return `less than ${MONEY.format(MIN_AMOUNT)} USD`;
  return `${Number.isInteger(amount) ? WHOLE.format(amount) : MONEY.format(amount)} USD`;
}

/** Dollars that were computed, rounded to cents unless that would make them zero. */
export function worth(value) {
  const amount = Number(value);
  return isNothing(value) || Number.isInteger(amount) || Math.abs(amount) < 0.005 ? usd(value) : `${CENTS.format(amount)} USD`;
}

/** What was earned, or lost where negative, in cents: +1.50 USD. */
export function gain(value) {
  const cents = Math.round(Number(value) * 100) / 100;
  return `${cents < 0 ? '−' : cents > 0 ? '+' : ''}${worth(Math.abs(cents))}`;
}

/** A fraction as percent: 0.364 is 36.4%. */
export function percent(fraction, places = 1) {
  return isNothing(fraction) ? DASH : `${trimmed(Number(fraction) * 100, places)}%`;
}

/** At most the given number of digits, without trailing zeros. */
const trimmed = (value, places) => String(Number(value.toFixed(places)));

/** The difference of two amounts, without digits that come from binary arithmetic. */
export function distance(one, other) {
  const whole = Math.ceil(Math.log10(Math.max(Math.abs(one), Math.abs(other), 1)));
  return Number(Math.abs(one - other).toFixed(Math.max(0, 15 - whole)));
}

/** The distance of two fractions, with two decimals, or four where two would hide it: 1.4 points, 1 point. */
export function points(fraction, places = 2) {
  const size = Math.abs(fraction) * 100;
  const words = trimmed(size, size < 0.01 ? Math.max(places, 4) : places);
  return `${words} ${words === '1' ? 'point' : 'points'}`;
}

let format = null;

const TIME = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' };

/** A time in the zone that the user chose, with its name: 5 Dec 2026, 16:35 CET. */
export function dateTime(instant) {
  if (!instant) return DASH;
  if (format === null || format.zone !== zone()) format = { zone: zone(), of: new Intl.DateTimeFormat('en-GB', { ...TIME, timeZone: zone() }) };
  return format.of.format(new Date(instant));
}

/** A day of the service, which is a UTC day in any time zone. */
export const date = (day) => (day ? DAY.format(new Date(day)) : DASH);

const UNITS = [[86400, 'day'], [3600, 'hour'], [60, 'minute']];

/** A length of time in its largest unit: 7 days, 1 hour. */
export function duration(seconds) {
  for (const [length, name] of UNITS) {
    if (seconds >= length) return plural(Math.round(seconds / length), name);
  }
  return 'less than a minute';
}

export const lowerFirst = (words) => words[0].toLowerCase() + words.slice(1);

export const plural = (count, name) => `${WHOLE.format(count)} ${name}${count === 1 ? '' : 's'}`;

export function ago(instant, now = Date.now()) {
  const seconds = Math.max(0, (now - Date.parse(instant)) / 1000);
  return seconds < 60 ? 'just now' : `${duration(seconds)} ago`;
}

/** The age of what a custodian said: 22 min ago. */
export function lastHeard(instant, now = Date.now()) {
  const seconds = Math.max(0, Math.floor((now - Date.parse(instant)) / 1000));
  for (const [most, length, name] of [[120, 1, 's'], [7200, 60, 'min'], [172800, 3600, 'h']]) {
    if (seconds < most) return `${Math.floor(seconds / length)} ${name} ago`;
  }
  return `${plural(Math.floor(seconds / 86400), 'day')} ago`;
}

export function left(instant, now = Date.now()) {
  const seconds = (Date.parse(instant) - now) / 1000;
  return seconds <= 0 ? 'expired' : `${duration(seconds)} left`;
}

/** "in 3 hours" */
export function ahead(instant, now = Date.now()) {
  const seconds = (Date.parse(instant) - now) / 1000;
  return seconds <= 0 ? 'now' : `in ${duration(seconds)}`;
}

/** "Buy 5,000 USD of BTC". */
export function tradeWords(trade) {
  if (!trade) return 'A trade that could not be read';
  return `${trade.action === 'buy' ? 'Buy' : 'Sell'} ${usd(trade.amountUsd)} of ${trade.assetSymbol}`;
}

/** The slippage an agent expects. An absent value counts as 0, but is shown as not stated. */
export function slippage({ expectedSlippagePct: expected }, most) {
  if (isNothing(expected)) return 'not given';
  return `${number(expected)}%${isNothing(most) ? '' : ` of at most ${percent(most, 4)}`}`;
}

export const assetClass = (type) => (type === 'crypto' ? 'Crypto' : 'Traditional');

/**
 * Characters that show nothing or reorder text: all that Unicode says may be ignored when shown, such as joiners,
 * directional marks, tags, variation selectors, U+034F and U+FFA0, and separators, annotations and the blank U+2800.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]/u;

/**
 * Cuts a text from outside into parts to show: characters that would reorder or hide text are shown by name, so that
 * users never attest a text that only looks like what it says.
 */
export function visible(text) {
  const parts = [];
  for (const character of text ?? '') {
    const last = parts.at(-1);
    if (INVISIBLE.test(character)) {
      parts.push({ mark: `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}` });
    } else if (last?.text !== undefined) {
      last.text += character;
    } else {
      parts.push({ text: character });
    }
  }
  return parts;
}
