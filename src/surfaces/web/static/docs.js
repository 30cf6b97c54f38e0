// The reference works without this: it keeps the tab over all operations, and calls the service from the page.

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

// The contents mark what is being read.
const links = new Map();
for (const link of document.querySelectorAll('.contents li a')) {
  if (!(link instanceof HTMLAnchorElement) || link.pathname !== location.pathname || link.hash === '') continue;
  links.set(link.hash.slice(1), link);
}
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) {
        for (const link of links.values()) link.removeAttribute('aria-current');
        links.get(target.getAttribute('aria-labelledby') ?? '')?.setAttribute('aria-current', 'true');
      }
  },
  { rootMargin: '-20% 0px -79% 0px' },
);
for (const section of document.querySelectorAll('main section')) observer.observe(section);

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
  /** @type {Record<string, string>} */
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  if (method === 'POST') headers['content-type'] = 'application/json';
  const body = method === 'POST' ? JSON.stringify(Object.fromEntries(fields)) : null;
  return { target: target + query, init: { method, headers, body } };
}

/**
 * Shows JSON as the examples are shown.
 * @param {string} text
 */
function toElement(text) {
  const pre = document.createElement('pre');
  pre.className = 'json';
  for (const part of text.split(/^( *)("(?:[^"\\]|\\.)*")(?=: )/m)) {
    const key = document.createElement('b');
    key.textContent = part;
    pre.append(pre.childNodes.length % 3 === 2 ? key : part);
  }
  return pre;
}

/**
 * Says what a call was answered.
 * @param {string} id
 * @param {string} status
 * @param {string} figures
 * @param {string} text
 */
function show(id, status, figures, text) {
  const line = document.createElement('p');
  line.className = 'status';
  line.setAttribute('role', 'status');
  const [bold, soft] = [document.createElement('b'), document.createElement('span')];
  bold.textContent = status;
  soft.className = 'soft figures';
  soft.textContent = figures;
  line.append(bold, ' ', soft);
  if (token === '' && status.startsWith('401')) {
    const link = document.createElement('a');
    link.href = '#access';
    link.textContent = 'Get a token first';
    line.append(' ', link);
  }
  document.getElementById(id)?.replaceChildren(line, toElement(text));
}

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset.path === undefined) return;
  event.preventDefault();
  const place = form.dataset.answer ?? '';
  const { target, init } = toRequest(form);
  const startedAt = performance.now();
  try {
    const response = await fetch(target, { ...init, cache: 'no-store' });
    const text = await response.text();
    const figures = `${init.method} ${target} · ${Math.round(performance.now() - startedAt)} ms · ${new Blob([text]).size} bytes`;
    const data = text === '' ? undefined : JSON.parse(text);
    show(
      place,
      `${response.status} ${response.statusText}`,
      figures,
      data === undefined ? '' : JSON.stringify(data, null, 2),
    );
    if (typeof data?.access_token !== 'string') return;
    token = data.access_token;
    for (const element of document.querySelectorAll('var')) element.textContent = token;
  } catch {
    show(place, 'Not sent', 'The service cannot be reached from here. Check the connection, and try again.', '');
  }
});
