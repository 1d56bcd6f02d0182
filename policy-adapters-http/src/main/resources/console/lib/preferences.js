/** What this browser remembers of how the console looks: theme and time zone. */
const NAME = 'preferences';
const FIRST = { theme: 'system', zone: '' };

export const THEMES = { system: 'Same as device', light: 'Light', dark: 'Dark' };

function read() {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(NAME)) };
  } catch {
    return FIRST;
  }
}

let current = read();

const apply = () => {
  if (current.theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current.theme;
};

export const preferences = () => current;

/** The time zone that times are shown in; undefined for that of the device. */
export const zone = () => current.zone || undefined;

export function setPreference(name, value) {
  current = { ...current, [name]: value };
  try {
    localStorage.setItem(NAME, JSON.stringify(current));
  } catch {
    // Without storage it lasts until the tab is closed.
  }
  apply();
  return current;
}

addEventListener('storage', (event) => {
  if (event.key !== NAME && event.key !== null) return;
  current = read();
  apply();
});

apply();
