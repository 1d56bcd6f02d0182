/** Reads positions from pasted text: comma, semicolon or tab between, a heading or none. */
const COLUMNS = ['symbol', 'type', 'quantity', 'price'];
const TYPES = {
  crypto: 'crypto', coin: 'crypto', tradfi: 'tradfi', traditional: 'tradfi', stock: 'tradfi', etf: 'tradfi', bond: 'tradfi', fund: 'tradfi',
};

const isAmount = (text) => /^\d+(\.\d+)?$/.test(text);

/** A number as people write it: 1,234.50 or 1 234.50 is 1234.50. */
const amount = (text) => text.replace(/^\$|[\s_'](?=\d)/g, '').replace(/,(?=\d{3}(\D|$))/g, '');

function cells(line) {
  const separator = line.includes('\t') ? '\t' : line.includes(';') ? ';' : ',';
  const found = [...line.matchAll(new RegExp(`"((?:[^"]|"")*)"|([^${separator}]+)|(?<=${separator}|^)(?=${separator}|$)`, 'g'))];
  return found.map(([, quoted, plain]) => (quoted !== undefined ? quoted.replaceAll('""', '"') : plain ?? '').trim());
}

/** The positions of a text, and what is wrong with which line. Cash stands in a line `cash, amount`. */
export function readCsv(text) {
  const positions = [];
  const problems = [];
  let cash = null;
  text.split(/\r?\n/).forEach((line, i) => {
    const [symbol, ...rest] = cells(line);
    if (line.trim() === '' || /^(symbol|ticker|asset)$/i.test(symbol)) return;
    if (/^cash$/i.test(symbol)) {
      const value = amount(rest.filter(Boolean).at(-1) ?? '');
      if (isAmount(value)) cash = value;
      else problems.push(`Line ${i + 1}: cash needs an amount.`);
      return;
    }
    const type = TYPES[(rest[0] ?? '').toLowerCase()];
    const [quantity, price] = [amount(rest[1] ?? ''), amount(rest[2] ?? '')];
    if (!type) problems.push(`Line ${i + 1}: the second column must be crypto or tradfi, not "${rest[0] ?? ''}".`);
    else if (!isAmount(quantity)) problems.push(`Line ${i + 1}: the quantity "${rest[1] ?? ''}" is not a number.`);
    else if (!isAmount(price)) problems.push(`Line ${i + 1}: the price "${rest[2] ?? ''}" is not a number.`);
    else positions.push({ symbol: symbol.toUpperCase(), assetType: type, quantity, price });
  });
  return { positions, cash, problems };
}

export const EXAMPLE = `${COLUMNS.join(',')}\nBTC,crypto,0.25,80000\nSPY,tradfi,120,500\ncash,20000`;
