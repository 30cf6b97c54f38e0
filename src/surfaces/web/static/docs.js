// The reference works without this: it keeps the tab over all operations, calls the service from the page, and with a
// token shows the served profile in place of the sample.

let token = '';

// A way that is chosen for one operation is chosen for all.
for (const input of document.querySelectorAll('.ways input')) {
  if (!(input instanceof HTMLInputElement)) continue;
  input.addEventListener('change', () => {
    const { top } = input.getBoundingClientRect();
    for (const other of document.querySelectorAll(`.ways input[value="${input.value}"]`))
      if (other instanceof HTMLInputElement) other.checked = true;
    // What stands above may have become shorter or longer.
    scrollBy({ top: input.getBoundingClientRect().top - top, behavior: 'instant' });
  });
}

// An example that is taller than the window scrolls with the page to its end before it stays in place.
const pinnedObserver = new ResizeObserver((entries) => {
  for (const { target } of entries)
    if (target instanceof HTMLElement) target.style.top = `${Math.min(0, innerHeight - target.offsetHeight)}px`;
});
for (const pinned of document.querySelectorAll('.pinned')) pinnedObserver.observe(pinned);

/**
 * @param {string} tag
 * @param {readonly (Node | string)[]} children
 * @param {string} [className]
 */
function make(tag, children, className = '') {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

// Invisible characters, and those that change the direction of text, as the escapes that JSON has for them.
const deceptive = /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** @param {unknown} value */
const jsonOf = (value) =>
  JSON.stringify(value).replace(deceptive, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/**
 * Shows JSON as frame.ts does: what follows the first object of an array, long lists and long texts are folded up.
 * @param {unknown} value
 * @param {string} tail
 * @returns {(Node | string)[]}
 */
function toNodes(value, tail = '') {
  if (typeof value !== 'object' || value === null) {
    const text = jsonOf(value) + tail;
    return text.length <= 600
      ? [text]
      : [folded(`${text.slice(0, 50)}… ${text.length} characters`, [make('div', [text])])];
  }
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  if (entries.length === 0) return [open + close + tail];
  const lines = entries.map(([name, item], index) => {
    const nodes = toNodes(item, index < entries.length - 1 ? ',' : '');
    return make('div', isArray ? nodes : [make('b', [`"${name}"`]), ': ', ...nodes]);
  });
  const end = make('i', [close + tail]);
  const isOfObjects = typeof entries[0]?.[1] === 'object';
  const shown = !isArray || (!isOfObjects && lines.length <= 3) ? lines.length : isOfObjects ? 1 : 0;
  if (shown === lines.length) return [open, ...lines, end];
  const summary = shown === 0 ? `${lines.length} items` : `${lines.length - shown} more`;
  return [open, ...lines.slice(0, shown), folded(summary, lines.slice(shown)), end];
}

/**
 * @param {string} summary
 * @param {readonly Node[]} nodes
 */
const folded = (summary, nodes) => make('details', [make('summary', [summary]), ...nodes]);

/** The nodes of the sample in each element that shows something else. @type {Map<Element, readonly Node[]>} */
const samples = new Map();

/**
 * @param {Element | null} element
 * @param {readonly (Node | string)[]} nodes
 */
function replace(element, nodes) {
  if (element === null) return;
  if (!samples.has(element)) samples.set(element, [...element.childNodes]);
  element.replaceChildren(...nodes);
}

/**
 * Sends a request with the token. An answer without a status was not received.
 * @param {string} target
 * @param {RequestInit} [init]
 */
async function send(target, init = {}) {
  const sentWith = token;
  const startedAt = performance.now();
  try {
    const headers = { ...init.headers, ...(token !== '' && { authorization: `Bearer ${token}` }) };
    const response = await fetch(target, { ...init, headers, cache: 'no-store' });
    const text = await response.text();
    const figures = `${init.method ?? 'GET'} ${target} · ${Math.round(performance.now() - startedAt)} ms · ${new Blob([text]).size} bytes`;
    const { status, statusText } = response;
    if (status === 401 && sentWith !== '' && sentWith === token)
      forget('Your token does not work any more: it has expired or was revoked.');
    return { status, title: `${status} ${statusText}`, figures, data: text === '' ? undefined : JSON.parse(text) };
  } catch {
    const figures = 'The service cannot be reached from here. Check the connection, and try again.';
    return { status: 0, title: 'Not sent', figures, data: undefined };
  }
}

/**
 * Shows an answer in place of another.
 * @param {Element | null} place
 * @param {Awaited<ReturnType<typeof send>>} answer
 * @param {string} about
 * @param {readonly Node[]} more
 */
function show(place, { status, title, data }, about, more = []) {
  const line = make('p', [make('b', [title]), ' ', make('span', [about], 'soft figures')], 'status');
  if (status === 401) {
    const link = make('a', ['Get a token first']);
    link.setAttribute('href', '#access');
    line.append(' ', link);
  }
  replace(place, [line, ...(data === undefined ? [] : [make('div', toNodes(data), 'json')]), ...more]);
  return line;
}

/** Shows the profile that is served in all examples; ids are the first ones that the lists have. */
async function showProfile() {
  const current = token;
  /** @type {Map<string, ReturnType<typeof send>>} */
  const answers = new Map();
  /** @param {string} target */
  const get = (target) => {
    const answer = answers.get(target) ?? send(target);
    answers.set(target, answer);
    return answer;
  };
  /** @type {NodeListOf<HTMLElement>} */
  const listed = document.querySelectorAll(':is(var, input)[data-list]');
  /** @type {NodeListOf<HTMLElement>} */
  const shown = document.querySelectorAll('.answer[data-target]');
  await Promise.all(
    [...listed].map(async (element) => {
      const { data } = await get(element.dataset.list ?? '');
      const id = (Array.isArray(data) && data[0]?.id) || '';
      if (token !== current) return;
      if (!(element instanceof HTMLInputElement)) return replace(element, [id || 'ID']);
      // What was typed stays.
      if (element.value !== element.defaultValue) return;
      element.dataset.sample ??= element.value;
      element.defaultValue = id;
    }),
  );
  await Promise.all(
    [...shown].map(async (place) => {
      const { target = '', list } = place.dataset;
      const listing = list === undefined ? null : await get(list);
      const id = Array.isArray(listing?.data) ? listing.data[0]?.id : undefined;
      const isEmpty = listing?.status === 200 && id === undefined;
      const answer = isEmpty
        ? { status: 0, title: 'No entry', figures: '', data: undefined }
        : listing !== null && id === undefined
          ? listing
          : await get(target.replace('{id}', id));
      if (token !== current) return;
      const others = [...place.querySelectorAll('details[data-target]')].map(lazyExample);
      show(place, answer, isEmpty ? 'this profile lists none' : 'this profile’s answer', others);
      // If the candidate has no current position, the list of all is opened.
      if (Array.isArray(answer.data) && answer.data.length === 0) others.at(-1)?.setAttribute('open', '');
    }),
  );
}

/**
 * Returns a further example that is read when it is opened.
 * @param {Element} details
 */
function lazyExample(details) {
  const summary = details.querySelector('summary');
  const copy = make('details', summary === null ? [] : [summary.cloneNode(true)]);
  if (details instanceof HTMLElement) copy.dataset.target = details.dataset.target ?? '';
  copy.addEventListener(
    'toggle',
    async () => {
      const { title, data } = await send(copy.dataset.target ?? '');
      copy.append(make('div', data === undefined ? [title] : toNodes(data), 'json'));
    },
    { once: true },
  );
  return copy;
}

const exampleSource = document.getElementById('whose');
const ofSample = [...(exampleSource?.childNodes ?? [])];
const tokenControls = document.getElementById('held');

/** Whether the examples are of the profile that is served. */
let isOwn = false;

/**
 * Sends a token with the calls of the page, and puts it into code if the visitor has seen it.
 * @param {string} text
 * @param {boolean} isShown
 */
function useToken(text, isShown = true) {
  token = text;
  if (isShown) {
    replace(document.getElementById('put-token'), ['Your token is in these lines already.']);
    for (const element of document.querySelectorAll('var:not([data-list])')) replace(element, [token]);
  }
  tokenControls?.removeAttribute('hidden');
}

/** Reads the profile that is served for all examples, which the candidate sees. */
async function showOwn() {
  const current = token;
  isOwn = true;
  await showProfile();
  if (token === current) exampleSource?.replaceChildren('Examples are of this profile.');
}

/** Offers to read the profile, which opening the page alone does not. */
function offerOwn() {
  const button = make('button', ['Show this profile'], 'plain small');
  button.addEventListener('click', showOwn);
  // As many lines as before, so that nothing below moves.
  exampleSource?.replaceChildren('These are of a sample. ', button);
}

/**
 * Forgets the token, and shows the sample again.
 * @param {string} why
 */
function forget(why) {
  token = '';
  isOwn = false;
  for (const [element, nodes] of samples) element.replaceChildren(...nodes);
  samples.clear();
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = document.querySelectorAll('input[data-sample]');
  for (const input of inputs) input.defaultValue = input.dataset.sample ?? '';
  tokenControls?.setAttribute('hidden', '');
  exampleSource?.replaceChildren(...(why === '' ? [] : [`${why} `]), ...ofSample);
}

document.getElementById('forget')?.addEventListener('click', () => forget(''));

/**
 * The request of a form: its path with the parameters in it, the others in the query or in the body.
 * @param {HTMLFormElement} form
 */
function toRequest(form) {
  const { method = 'GET', path = '' } = form.dataset;
  const fields = new Map();
  for (const [name, value] of new FormData(form)) if (value !== '') fields.set(name, value);
  const target = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = fields.get(name);
    fields.delete(name);
    return encodeURIComponent(value);
  });
  const query = method === 'POST' || fields.size === 0 ? '' : `?${new URLSearchParams([...fields])}`;
  if (method !== 'POST') return { target: target + query, init: { method } };
  const headers = { 'content-type': 'application/json' };
  return { target, init: { method, headers, body: JSON.stringify(Object.fromEntries(fields)) } };
}

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset.path === undefined) return;
  event.preventDefault();
  if (token !== '' && !isOwn) await showOwn();
  const { target, init } = toRequest(form);
  const answer = await send(target, init);
  const place = document.getElementById(form.dataset.answer ?? '');
  show(place, answer, answer.figures).setAttribute('role', 'status');
  if (typeof answer.data?.access_token !== 'string') return;
  useToken(answer.data.access_token);
  await showOwn();
});

/** Returns the token of the visitor whose browser has the profile open; null without one. */
async function askForToken() {
  const address = exampleSource?.dataset.session;
  if (address === undefined) return null;
  const asked = await fetch(address, { cache: 'no-store' });
  if (asked.status !== 200) return null;
  const given = await fetch(address, { method: 'POST', body: new URLSearchParams(await asked.json()) });
  return given.ok ? await given.json() : null;
}

const given = await askForToken().catch(() => null);
if (given !== null) {
  useToken(given.access_token, given.is_shown);
  offerOwn();
}
