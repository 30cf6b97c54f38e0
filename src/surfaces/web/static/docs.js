// The reference works without this script. It marks the current section in the contents, keeps the way to call for all
// operations, calls the service from the page, and with a token replaces the sample by the served profile.
import { toJsonHtml, toText } from './json.js';

/** @param {string} selector @param {Document | Element} [root] */
const all = (selector, root = document) =>
  [...root.querySelectorAll(selector)].filter((it) => it instanceof HTMLElement);

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      for (const link of all(`.contents li [href="${location.pathname}#${target.getAttribute('aria-labelledby')}"]`))
        link.ariaCurrent = isIntersecting ? 'true' : null;
  },
  { rootMargin: '-20% 0px -79% 0px' },
);
for (const section of all('main section')) observer.observe(section);

// An example that is taller than the window scrolls with the page to its end before it sticks.
const pinnedObserver = new ResizeObserver((entries) => {
  for (const { target } of entries)
    if (target instanceof HTMLElement) target.style.top = `${Math.min(0, innerHeight - target.offsetHeight)}px`;
});
for (const pinned of all('.pinned')) pinnedObserver.observe(pinned);

// A way that is chosen for one operation applies to all.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.name.startsWith('way-')) return;
  const { top } = target.getBoundingClientRect();
  for (const other of all(`[name^="way-"][value="${target.value}"]`))
    if (other instanceof HTMLInputElement) other.checked = true;
  // The content above may have changed its height.
  scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
});

const exampleSource = document.getElementById('whose');
const ofSample = exampleSource?.innerHTML ?? '';
const tokenControls = document.getElementById('held');
let token = '';
/** Whether the examples show the served profile. */
let isOwn = false;
/** The sample of each element that shows something else. @type {Map<Element, string>} */
const samples = new Map();

/** @param {Element} element @param {string} content HTML, or the value of a field, whose typed text stays */
function setContent(element, content) {
  if (element instanceof HTMLInputElement) element.defaultValue = content;
  else element.innerHTML = content;
}

/** @param {Element | null} element @param {string} content */
function replace(element, content) {
  if (element === null) return;
  if (!samples.has(element))
    samples.set(element, element instanceof HTMLInputElement ? element.defaultValue : element.innerHTML);
  setContent(element, content);
}

/** Sends a request with the token. An answer without a status was not received. */
async function send(/** @type {string} */ target, /** @type {RequestInit} */ init = {}) {
  const sentWith = token;
  const startedAt = performance.now();
  try {
    const headers = { ...init.headers, ...(token !== '' && { authorization: `Bearer ${token}` }) };
    const response = await fetch(target, { ...init, headers, cache: 'no-store' });
    const text = await response.text();
    const duration = Math.round(performance.now() - startedAt);
    const figures = `${init.method ?? 'GET'} ${target} · ${duration} ms · ${new Blob([text]).size} bytes`;
    const { status, statusText } = response;
    if (status === 401 && sentWith !== '' && sentWith === token)
      forget('Your token does not work any more: it has expired or was revoked. ');
    return { status, title: `${status} ${statusText}`, figures, data: text === '' ? undefined : JSON.parse(text) };
  } catch {
    const figures = 'The service cannot be reached from here. Check the connection, and try again.';
    return { status: 0, title: 'Not sent', figures, data: undefined };
  }
}

/** @param {unknown} data @param {string} title */
const jsonOf = (data, title = '') =>
  data === undefined ? toText(title) : `<div class="json">${toJsonHtml(data)}</div>`;

/** @typedef {Awaited<ReturnType<typeof send>>} Answer */

/** Replaces a shown answer by another. */
function show(
  /** @type {Element | null} */ place,
  /** @type {Answer} */ { status, title, data },
  about = '',
  more = '',
) {
  const link = status === 401 ? ' <a href="#access">Get a token first</a>' : '';
  const line = `<p class="spread status small"><b>${toText(title)}</b> <span class="soft figures">${toText(about)}</span>${link}</p>`;
  replace(place, line + jsonOf(data) + more);
}

/** Shows the served profile in all examples, which the candidate sees; ids are the first ones of the lists. */
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
    if (token === current) replace(element, element instanceof HTMLInputElement ? id : toText(id || 'ID'));
  });
  const shown = all('.answer[data-target]').map(async (place) => {
    const { target = '', list } = place.dataset;
    const id = list === undefined ? '' : await idIn(list);
    const answer = await get(id === undefined ? list : target.replace('{id}', id));
    const isEmpty = id === undefined && answer.status === 200;
    if (token !== current) return;
    // Loaded when they are opened.
    const others = all('details[data-target]', place).map((details) => {
      for (const child of [...details.children].slice(1)) child.remove();
      return details.outerHTML;
    });
    if (isEmpty) show(place, { ...answer, title: 'No entry', data: undefined }, 'this profile lists none');
    else show(place, answer, 'this profile’s answer', others.join(''));
    // If the candidate has no current position, opens the list of all positions.
    if (Array.isArray(answer.data) && answer.data.length === 0)
      all('details[data-target]', place).at(-1)?.setAttribute('open', '');
  });
  await Promise.all([...ids, ...shown]);
  if (token === current && exampleSource) replace(exampleSource, 'Examples are of this profile.');
}

document.addEventListener(
  'toggle',
  async ({ target }) => {
    if (!isOwn || !(target instanceof HTMLDetailsElement) || !target.dataset.target || target.children.length > 1)
      return;
    const { title, data } = await send(target.dataset.target);
    target.insertAdjacentHTML('beforeend', jsonOf(data, title));
  },
  { capture: true },
);

/** Sends a token with the calls of the page, and inserts it into code if the visitor has seen it. */
function useToken(/** @type {string} */ text, isShown = true) {
  token = text;
  if (isShown) {
    replace(document.getElementById('put-token'), 'Your token is in these lines already.');
    for (const element of all('var:not([data-list])')) replace(element, toText(token));
  }
  tokenControls?.removeAttribute('hidden');
}

/** Forgets the token, and shows the sample again. */
function forget(/** @type {string} */ why) {
  token = '';
  isOwn = false;
  for (const [element, content] of samples) setContent(element, content);
  samples.clear();
  tokenControls?.setAttribute('hidden', '');
  if (exampleSource) exampleSource.innerHTML = why + ofSample;
}

document.getElementById('forget')?.addEventListener('click', () => forget(''));

/** Returns the request of a form: its path with the path parameters, and the others in the query or in the body. */
function toRequest(/** @type {HTMLFormElement} */ form) {
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

/** Returns the token of the visitor whose browser has a session; null without one. */
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
  // Opening the page reads nothing. Has as many lines as before, so that nothing below moves.
  replace(exampleSource, 'These are of a sample. <button type="button" class="plain small">Show this profile</button>');
  exampleSource?.querySelector('button')?.addEventListener('click', showOwn);
}
