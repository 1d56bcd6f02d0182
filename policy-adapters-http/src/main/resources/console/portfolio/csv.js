/** Reads positions from pasted text, separated by comma, semicolon or tab, with or without a heading. */
const COLUMNS = ['symbol', 'type', 'quantity', 'price'];
const TYPES = {
  crypto: 'crypto', coin: 'crypto', tradfi: 'tradfi', traditional: 'tradfi', stock: 'tradfi', etf: 'tradfi', bond: 'tradfi', fund: 'tradfi',
};

/** Why a line cannot be read. */
class Unclear extends Error {}

const isAmount = (text) => /^\d+(\.\d+)?$/.test(text);

const GROUPED = /^[1-9]\d{0,2}([\s_',])\d{3}(?:\1\d{3})*(?:\.\d+)?$/;
const EITHER = /^[1-9]\d{0,2},\d{3}$/;

/** Parses a number as people write it: 1,234.50 or 1 234.50 is 1234.50. Ambiguous text is an error, never a guess. */
function amount(text, name) {
  const plain = text.replace(/^\$\s?/, '');
  if (EITHER.test(plain)) {
    throw new Unclear(`the ${name} "${text}" can be read as ${plain.replace(',', '')} or as ${plain.replace(',', '.')}. Write the one you mean.`);
  }
  const value = GROUPED.test(plain) ? plain.replace(/[\s_',]/g, '') : plain;
  if (!isAmount(value)) throw new Unclear(`the ${name} "${text}" is not a number. Write it as in 1234.5.`);
  return value;
}

function cells(line) {
  const separator = line.includes('\t') ? '\t' : line.includes(';') ? ';' : ',';
  const found = [...line.matchAll(new RegExp(`"((?:[^"]|"")*)"|([^${separator}]+)|(?<=${separator}|^)(?=${separator}|$)`, 'g'))];
  const texts = found.map(([, quoted, plain]) => (quoted !== undefined ? quoted.replaceAll('""', '"') : plain ?? '').trim());
  return texts.slice(0, texts.findLastIndex(Boolean) + 1);
}

function cashOf(given) {
  if (given.length !== 1) throw new Unclear('cash needs one amount, as in cash,20000.');
  return amount(given[0], 'cash');
}

function positionOf([symbol, type, quantity, price, ...more]) {
  if (price === undefined || more.length > 0) {
    throw new Unclear(`it must have ${COLUMNS.length} columns: asset, sleeve, quantity, price. Write numbers without commas.`);
  }
  const sleeve = type.toLowerCase();
  const assetType = Object.hasOwn(TYPES, sleeve) ? TYPES[sleeve] : null;
  if (!assetType) throw new Unclear(`the second column must be crypto or tradfi, not "${type}".`);
  return { symbol: symbol.toUpperCase(), assetType, quantity: amount(quantity, 'quantity'), price: amount(price, 'price') };
}

/** The positions in a text, and the problems by line. Cash is a line `cash, amount`. */
export function readCsv(text) {
  const positions = [];
  const problems = [];
  let cash = null;
  text.split(/\r?\n/).forEach((line, i) => {
    const columns = cells(line);
    const [symbol, ...rest] = columns;
    if (columns.length === 0 || /^(symbol|ticker|asset)$/i.test(symbol)) return;
    try {
      if (/^cash$/i.test(symbol)) cash = cashOf(rest.filter(Boolean));
      else positions.push(positionOf(columns));
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
      problems.push(`Line ${i + 1}: ${error.message}`);
    }
  });
  return { positions, cash, problems };
}

export const EXAMPLE = `${COLUMNS.join(',')}\nBTC,crypto,0.25,80000\nSPY,tradfi,120,500\ncash,20000`;
