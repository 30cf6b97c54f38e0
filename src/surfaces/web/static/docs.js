// The reference works without this. It marks the section being read in the contents, filters by the words typed, keeps
// the way to call over all operations, calls the service from the page, and with a token shows the served profile in
// place of the sample.
import { toJsonHtml, toText } from './json.js';

/**
 * @param {string} selector
 * @param {Document | Element} [root]
 */
const all = (selector, root = document) =>
  [...root.querySelectorAll(selector)].filter((it) => it instanceof HTMLElement);

/** The links of the contents within the page, by the id that they lead to. @type {Map<string, HTMLElement>} */
const links = new Map();
for (const link of all('.contents li a'))
  if (link instanceof HTMLAnchorElement && link.pathname === location.pathname && link.hash !== '')
    links.set(link.hash.slice(1), link);

/** @param {Element} section */
const linkTo = (section) => links.get(section.getAttribute('aria-labelledby') ?? '');
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) {
        for (const link of links.values()) link.removeAttribute('aria-current');
        linkTo(target)?.setAttribute('aria-current', 'true');
      }
  },
  { rootMargin: '-20% 0px -79% 0px' },
);
for (const section of all('main section')) observer.observe(section);

// An example that is taller than the window scrolls with the page to its end before it stays in place.
const pinnedObserver = new ResizeObserver((entries) => {
  for (const { target } of entries)
    if (target instanceof HTMLElement) target.style.top = `${Math.min(0, innerHeight - target.offsetHeight)}px`;
});
for (const pinned of all('.pinned')) pinnedObserver.observe(pinned);

/** What a row of a table or of a list of fields is. @param {Element} row */
function nounOf(row) {
  if (row.closest('[aria-labelledby=errors], .part:has(> [id$="-errors"])')) return 'error';
  return row.tagName === 'TR' ? 'limit' : row.id === '' ? 'field' : 'resource';
}

/**
 * Elements with their text, but not the one of inner fields.
 * @param {string} noun
 * @param {readonly (Element | null)[]} elements
 */
const findable = (noun, elements) => {
  const nodes = elements.flatMap((element) => [...(element?.childNodes ?? [])]);
  const texts = nodes.map((node) => (node instanceof HTMLDListElement ? '' : node.textContent));
  return { noun, elements, text: texts.join(' ').toLowerCase() };
};
const sections = all('main section').map((section) => ({
  section,
  head: findable(
    section.querySelector('.address') ? 'operation' : section.matches('[aria-labelledby^=tool-]') ? 'tool' : 'section',
    all('h1, h2, .prose > h3, .address, .address + p', section),
  ),
  rows: all('.fields > dt, tbody tr', section).map((row) =>
    findable(nounOf(row), row.tagName === 'DT' ? [row, row.nextElementSibling] : [row]),
  ),
}));

/** Marks what has the words; the style sheet hides the rest. Says how much that is. @param {string} query */
function filter(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @param {ReturnType<typeof findable>} one */
  const mark = ({ noun, elements, text }) => {
    const isFound = words.every((word) => text.includes(word));
    if (isFound) counts.set(noun, (counts.get(noun) ?? 0) + 1);
    for (const element of elements) element?.toggleAttribute('data-found', isFound);
  };
  for (const { section, head, rows } of sections) {
    mark({ ...head, elements: [section] });
    rows.forEach(mark);
    linkTo(section)?.closest('li')?.toggleAttribute('hidden', !section.matches('[data-found], :has([data-found])'));
  }
  document.body.classList.toggle('filtered', words.length > 0);
  const found = [...counts].map(([noun, count]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(', ');
  document.getElementById('filter-count')?.replaceChildren(words.length === 0 ? '' : found || 'Nothing found');
}

const input = document.getElementById('filter');
if (input instanceof HTMLInputElement) {
  const clear = () => {
    input.value = '';
    filter('');
  };
  input.addEventListener('input', () => {
    filter(input.value);
    // What was found begins at the top; on a small screen, the field is there, too.
    scrollTo({ top: 0, behavior: 'instant' });
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') clear();
    if (key === 'Enter')
      all('main :is(h2, h3) a')
        .find((heading) => heading.checkVisibility())
        ?.focus();
  });
  // A link may lead to what is hidden.
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target || target.checkVisibility()) return;
    clear();
    target.scrollIntoView();
  });
  if (input.value !== '') filter(input.value);
}

// A way that is chosen for one operation is chosen for all.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.name.startsWith('way-')) return;
  const { top } = target.getBoundingClientRect();
  for (const other of all(`[name^="way-"][value="${target.value}"]`))
    if (other instanceof HTMLInputElement) other.checked = true;
  // What stands above may have become shorter or longer.
  scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
});

let token = '';
/** Whether the examples are of the profile that is served. */
let isOwn = false;

/** The sample in each element that shows something else. @type {Map<Element, string>} */
const samples = new Map();

/**
 * @param {Element | null} element
 * @param {string} html
 */
function replace(element, html) {
  if (element === null) return;
  if (!samples.has(element)) samples.set(element, element.innerHTML);
  element.innerHTML = html;
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
      forget('Your token does not work any more: it has expired or was revoked. ');
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
 */
function show(place, { status, title, data }, about, more = '') {
  const link = status === 401 ? ' <a href="#access">Get a token first</a>' : '';
  const line = `<p class="spread status"><b>${toText(title)}</b> <span class="soft figures">${toText(about)}</span>${link}</p>`;
  replace(place, `${line}${data === undefined ? '' : `<div class="json">${toJsonHtml(data)}</div>`}${more}`);
}

/** Shows the profile that is served in all examples, which the candidate sees; ids are the first that the lists have. */
async function showOwn() {
  const current = token;
  isOwn = true;
  /** @type {Map<string, ReturnType<typeof send>>} */
  const answers = new Map();
  const get = (target = '') => {
    const answer = answers.get(target) ?? send(target);
    answers.set(target, answer);
    return answer;
  };
  const idIn = async (/** @type {string | undefined} */ list) => {
    const { data } = await get(list);
    return Array.isArray(data) ? data[0]?.id : undefined;
  };
  const ids = all(':is(var, input)[data-list]').map(async (element) => {
    const id = (await idIn(element.dataset.list)) ?? '';
    if (token !== current) return;
    if (!(element instanceof HTMLInputElement)) replace(element, toText(id || 'ID'));
    // What was typed stays.
    else if (element.value === element.defaultValue) {
      element.dataset.sample ??= element.value;
      element.defaultValue = id;
    }
  });
  const shown = all('.answer[data-target]').map(async (place) => {
    const { target = '', list } = place.dataset;
    const id = list === undefined ? '' : await idIn(list);
    const listing = id === undefined ? await get(list) : null;
    const isEmpty = listing?.status === 200;
    const answer = isEmpty
      ? { ...listing, status: 0, title: 'No entry', data: undefined }
      : (listing ?? (await get(target.replace('{id}', id))));
    if (token !== current) return;
    // Read when they are opened.
    const others = all('details[data-target]', place).map((details) => {
      for (const child of [...details.children].slice(1)) child.remove();
      return details.outerHTML;
    });
    show(place, answer, isEmpty ? 'this profile lists none' : 'this profile’s answer', others.join(''));
    // If the candidate has no current position, the list of all is opened.
    if (Array.isArray(answer.data) && answer.data.length === 0)
      all('details[data-target]', place).at(-1)?.setAttribute('open', '');
  });
  await Promise.all([...ids, ...shown]);
  if (token === current) exampleSource?.replaceChildren('Examples are of this profile.');
}

document.addEventListener(
  'toggle',
  async ({ target }) => {
    if (!isOwn || !(target instanceof HTMLDetailsElement) || !target.dataset.target || target.children.length > 1)
      return;
    const { title, data } = await send(target.dataset.target);
    target.insertAdjacentHTML(
      'beforeend',
      `<div class="json">${data === undefined ? toText(title) : toJsonHtml(data)}</div>`,
    );
  },
  { capture: true },
);

const exampleSource = document.getElementById('whose');
const ofSample = exampleSource?.innerHTML ?? '';
const tokenControls = document.getElementById('held');

/**
 * Sends a token with the calls of the page, and puts it into code if the visitor has seen it.
 * @param {string} text
 */
function useToken(text, isShown = true) {
  token = text;
  if (isShown) {
    replace(document.getElementById('put-token'), 'Your token is in these lines already.');
    for (const element of all('var:not([data-list])')) replace(element, toText(token));
  }
  tokenControls?.removeAttribute('hidden');
}

/**
 * Forgets the token, and shows the sample again.
 * @param {string} why
 */
function forget(why) {
  token = '';
  isOwn = false;
  for (const [element, html] of samples) element.innerHTML = html;
  samples.clear();
  for (const input of all('input[data-sample]'))
    if (input instanceof HTMLInputElement) input.defaultValue = input.dataset.sample ?? '';
  tokenControls?.setAttribute('hidden', '');
  if (exampleSource) exampleSource.innerHTML = why + ofSample;
}

document.getElementById('forget')?.addEventListener('click', () => forget(''));

/**
 * The request of a form: its path with the parameters in it, the others in the query or in the body.
 * @param {HTMLFormElement} form
 */
function toRequest(form) {
  const { method = 'GET', path = '' } = form.dataset;
  const typed = [...new FormData(form)].filter(([, value]) => value !== '');
  /** @type {Record<string, string>} */
  const fields = Object.fromEntries(typed.map(([name, value]) => [name, String(value)]));
  const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(fields[name] ?? ''));
  const others = Object.entries(fields).filter(([name]) => !path.includes(`{${name}}`));
  if (method === 'GET' && others.length > 0) return { target: `${target}?${new URLSearchParams(others)}`, init: {} };
  if (method !== 'POST') return { target, init: { method } };
  const headers = { 'content-type': 'application/json' };
  return { target, init: { method, headers, body: JSON.stringify(Object.fromEntries(others)) } };
}

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset.path === undefined) return;
  event.preventDefault();
  if (token !== '' && !isOwn) await showOwn();
  const { target, init } = toRequest(form);
  const answer = await send(target, init);
  const place = document.getElementById(form.dataset.answer ?? '');
  show(place, answer, answer.figures);
  place?.firstElementChild?.setAttribute('role', 'status');
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
  const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(await asked.json()) });
  return answer.ok ? await answer.json() : null;
}

const visit = await askForToken().catch(() => null);
if (visit !== null) {
  useToken(visit.access_token, visit.is_shown);
  // Opening the page reads nothing. As many lines as before, so that nothing below moves.
  const button = Object.assign(document.createElement('button'), {
    className: 'plain small',
    textContent: 'Show this profile',
  });
  button.addEventListener('click', showOwn);
  exampleSource?.replaceChildren('These are of a sample. ', button);
}
