/** Amounts as people type them. */

/** "2,000.50" and "2 000.50" as "2000.50"; null where a comma could be a decimal point, as in "2,5" or "1.000,50". */
export function typedAmount(text) {
  const compact = text.trim().replace(/[\s\u00a0\u202f]/g, '');
  if (/^\d+(\.\d+)?$/.test(compact)) return compact;
  return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(compact) ? compact.replaceAll(',', '') : null;
}

/** What is wrong with a typed amount; null for a right one. */
export function amountProblem(text) {
  if (typedAmount(text) !== null) return null;
  return /^[\d.,\s]+$/.test(text) && /\d/.test(text)
    ? 'Write the amount like 2000.50 or 2,000.50: a point before decimals.' : 'Enter an amount.';
}
