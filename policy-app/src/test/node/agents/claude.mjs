// Reads the arguments of "claude mcp add" as that program does, and prints the settings that it would store.
const rest = process.argv.slice(2);
if (rest.splice(0, 2).join(' ') !== 'mcp add') throw new Error('Only "mcp add" is known.');
const command = rest.includes('--') ? rest.splice(rest.indexOf('--')).slice(1) : null;
const option = (name) => {
  const at = rest.indexOf(name);
  return at < 0 ? null : rest.splice(at, 2)[1];
};
const header = option('--header');
const variable = option('--env');
const transport = option('--transport') ?? 'stdio';
const pair = (text, separator) => (text === null ? {} : { [text.slice(0, text.indexOf(separator))]: text.slice(text.indexOf(separator) + 1).trim() });
const [name, url] = rest;
const server = transport === 'http' ? { url, headers: pair(header, ':') } : { command: command[0], args: command.slice(1), env: pair(variable, '=') };
console.log(JSON.stringify({ mcpServers: { [name]: server } }));
