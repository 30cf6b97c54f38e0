// Improvements of the forms of the editor, which work without this script.

const form = () => document.querySelector('form.part-form, form.source');
const fieldsOf = (/** @type {Element} */ of, /** @type {HTMLElement | null} */ button = null) =>
  // As a browser sends it, but without the content of the photo.
  new URLSearchParams(/** @type {any} */ (new FormData(/** @type {HTMLFormElement} */ (of), button)));

let isTyped = document.querySelector('.part-form .not-saved:not([hidden])') !== null;

document.addEventListener('input', ({ target }) => {
  if (!(target instanceof Element) || target.closest('form') !== form()) return;
  isTyped = true;
  document.querySelector('.save .notice')?.remove();
  document.querySelector('.part-form .not-saved')?.removeAttribute('hidden');
  refreshSoon();
});

addEventListener('beforeunload', (event) => {
  if (isTyped) event.preventDefault();
});

document.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (event.target !== form() || !(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  // The key Enter in a field: what is typed is shown anyway.
  if (button.className === 'unseen') return;
  void (/^(add|remove|restore|up|down) /.test(button.value) ? arrange(button) : save(button));
});

/** Sends the form, unless the service cannot be reached: the page that a browser then shows has lost what was typed. */
async function save(/** @type {HTMLButtonElement} */ button) {
  const options = { method: 'HEAD', cache: /** @type {const} */ ('no-store'), signal: AbortSignal.timeout(10_000) };
  const response = await fetch(import.meta.url, options).catch(() => null);
  // An entry that was being added has replaced the form.
  const of = /** @type {HTMLFormElement} */ (form());
  if (response) leave(of, button);
  else say(of, unreached);
}

function leave(/** @type {HTMLFormElement} */ of, /** @type {HTMLButtonElement} */ { name, value }) {
  isTyped = false;
  sessionStorage.setItem('scrolled', String(scrollY));
  sessionStorage.setItem('opened', [...of.querySelectorAll('.entry > details[open]')].map(placeOf).join('\n'));
  // The page may be shown again, by the button Back, with the field of the button before.
  of.querySelector('input[name="do"]')?.remove();
  of.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  HTMLFormElement.prototype.submit.call(of);
}

const unreached = 'Not saved: the service cannot be reached. What you typed is still here: try again in a while.';

function say(/** @type {HTMLFormElement} */ of, /** @type {string} */ textContent) {
  of.querySelector('.save .notice')?.remove();
  const notice = Object.assign(document.createElement('p'), { className: 'notice bad', role: 'alert', textContent });
  of.querySelector('.save')?.prepend(notice);
}

// A form that was saved is shown where it was read, with the entries open that were.
const placeOf = (/** @type {Element} */ { parentElement, className }) => `${parentElement?.id} ${className}`;
if (location.hash === '#done') {
  const opened = sessionStorage.getItem('opened')?.split('\n') ?? [];
  for (const details of document.getElementsByTagName('details')) details.open ||= opened.includes(placeOf(details));
  addEventListener('load', () => scrollTo(0, Number(sessionStorage.getItem('scrolled'))));
}

// By the button Back, a browser shows what was typed before.
addEventListener('pageshow', () => {
  const fields = [...(form()?.querySelectorAll('input[name], textarea') ?? [])];
  const isChanged = (/** @type {any} */ field) =>
    field.type === 'checkbox' || field.type === 'radio'
      ? field.checked !== field.defaultChecked
      : field.type !== 'file' && field.value !== field.defaultValue;
  if (!fields.some(isChanged)) return;
  isTyped = true;
  document.querySelector('.part-form .not-saved')?.removeAttribute('hidden');
  refreshSoon();
});

document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  const button = form()?.querySelector('button[value="publish"]');
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.form?.requestSubmit(button);
});

/** Adds, removes or moves an entry of a list without leaving the page. */
async function arrange(/** @type {HTMLButtonElement} */ button) {
  const before = /** @type {HTMLFormElement} */ (form());
  let body, page;
  // Text that was typed before the response came is sent, too.
  do {
    body = fieldsOf(before, button);
    page = await fetch(before.action, { method: 'POST', body }).then(read, () => null);
  } while (page && `${fieldsOf(before, button)}` !== `${body}`);
  if (!page) {
    say(before, unreached);
    return;
  }
  const after = page.querySelector('form.part-form');
  if (!after) {
    // As without this script: the page that answers says what is wrong.
    leave(before, button);
    return;
  }
  const opened = [...before.querySelectorAll('details[open]')].map(entryOf);
  for (const details of after.querySelectorAll('details'))
    if (entryOf(details) && opened.includes(entryOf(details))) details.open = true;
  before.replaceWith(after);
  fitAll();
  isTyped = true;
  const target = after.querySelector('[autofocus]');
  if (target instanceof HTMLElement) target.focus();
  refreshSoon();
}

/** Returns what a folded entry keeps when it is moved: its list, and the index that it had before. */
function entryOf(/** @type {Element} */ { parentElement: entry, className }) {
  const index = entry?.querySelector(`[name="${entry.id}@"]`)?.getAttribute('value');
  return index ? `${entry?.id.replace(/\d+$/, '')}${index} ${className}` : null;
}

const read = async (/** @type {Response} */ response) =>
  new DOMParser().parseFromString(await response.text(), 'text/html');

// The preview of what is typed.
const preview = document.querySelector('[data-preview]');
const [note, view] = ['.preview-note', '.preview-view'].map((part) => preview?.querySelector(part));
let tab = preview?.querySelector('[aria-current]')?.getAttribute('data-tab') ?? 'pdf';
let timer = 0;
let isAsking = false;
let isOutdated = false;

function refreshSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), 300);
}

/** Shows the preview of what the form holds; what changed meanwhile is asked for next. */
async function refresh() {
  const of = form();
  if (!preview || !of || !(preview instanceof HTMLElement)) return;
  isOutdated = isAsking;
  if (isAsking) return;
  isAsking = true;
  const asked = tab;
  preview.setAttribute('aria-busy', 'true');
  const options = { method: 'POST', body: fieldsOf(of) };
  const response = await fetch(`${preview.dataset.preview}?preview=${asked}`, options).catch(() => null);
  const page = response?.ok ? await read(response) : null;
  await show(page, response);
  preview.removeAttribute('aria-busy');
  isAsking = false;
  if (isOutdated || asked !== tab) void refresh();
}

async function show(/** @type {Document | null} */ page, /** @type {Response | null} */ response) {
  const [newNote, newView] = ['.preview-note', '.preview-view'].map((part) => page?.querySelector(part));
  const wasFaulty = note?.textContent !== '';
  const words = response?.status === 403 ? signedOut : 'The preview cannot be made at the moment.';
  if (!newNote) note?.replaceChildren(words);
  // Said only when it changes.
  else if (note?.textContent !== newNote.textContent) note?.replaceChildren(...newNote.childNodes);
  if (!newView || !view || newView.childNodes.length === 0) return;
  // A picture that is there already is not loaded again, unless it may be the text of a fault.
  const same = (/** @type {HTMLImageElement} */ { src }) =>
    wasFaulty ? undefined : [...view.querySelectorAll('img')].find((picture) => picture.src === src);
  const pictures = [...newView.querySelectorAll('img')];
  for (const picture of pictures) picture.loading = same(picture) ? 'lazy' : 'eager';
  await Promise.all(pictures.map((picture) => !same(picture) && picture.decode().catch(() => {})));
  for (const picture of pictures) picture.replaceWith(same(picture) ?? picture);
  const [before, after] = [view, newView].map((one) => one.querySelector('iframe'));
  if (before && after) {
    // The same page again: it stays where it was read.
    if (before.src === after.src) after.replaceWith(before);
    const top = before.contentWindow?.scrollY ?? 0;
    after.addEventListener('load', () => after.contentWindow?.scrollTo(0, top));
  }
  const scrolled = view.querySelector('.preview-content')?.scrollTop ?? 0;
  view.replaceChildren(...newView.childNodes);
  view.querySelector('.preview-content')?.scrollTo(0, scrolled);
}

const signedOut = 'You have been signed out. What you typed is still here: sign in in another tab, then type on.';

preview?.querySelector('nav')?.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  choose(link.dataset.tab ?? 'pdf');
});

function choose(/** @type {string} */ name) {
  tab = name;
  if (!hasOwnTab) sessionStorage.setItem(key, name);
  for (const link of preview?.querySelectorAll('[data-tab]') ?? [])
    if (link.getAttribute('data-tab') === name) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  view?.replaceChildren();
  void refresh();
}

// The next form opens with the tab that was chosen in this one, unless it has its own.
const key = 'preview';
const hasOwnTab = preview?.hasAttribute('data-usual');
const chosen = sessionStorage.getItem(key);
if (!hasOwnTab && chosen !== null && chosen !== tab && !location.search.includes('preview=')) choose(chosen);
else if (view?.hasAttribute('data-later')) void refresh();

// Folded pictures are loaded when they are seen.
for (const place of document.querySelectorAll('[data-picture]')) {
  const picture = Object.assign(new Image(240, 180), { alt: '', loading: 'lazy' });
  picture.src = place.getAttribute('data-picture') ?? '';
  place.replaceWith(picture);
}

// A picker beside each colour: an empty field stays empty until one is picked.
for (const field of document.querySelectorAll('[data-colour]')) {
  if (!(field instanceof HTMLInputElement) || field.readOnly) continue;
  const label = `Pick: ${field.labels?.[0]?.textContent}`;
  const picker = Object.assign(document.createElement('input'), { type: 'color', ariaLabel: label });
  const follow = () => {
    picker.value = /^#[0-9a-f]{6}$/i.test(field.value) ? field.value : (field.dataset.colour ?? '');
  };
  follow();
  field.addEventListener('input', follow);
  field.addEventListener('change', () => void explain(field));
  picker.addEventListener('input', () => {
    field.value = picker.value;
  });
  picker.addEventListener('change', () => void explain(field));
  field.after(picker);
}

/** Shows below a field the contrast that checking the form returns. */
async function explain(/** @type {HTMLInputElement} */ { id, value }) {
  const of = /** @type {HTMLFormElement} */ (form());
  const body = fieldsOf(of, of.querySelector('button[value="check"]'));
  const page = await fetch(of.action, { method: 'POST', body }).then(read, () => null);
  const [words, now] = [document, page].map((one) => one?.getElementById(`${id}-contrast`));
  const field = document.getElementById(id);
  if (words && now && field instanceof HTMLInputElement && field.value === value)
    words.replaceChildren(now.textContent);
}

// A photo that is larger than the service takes, as phones make them, becomes smaller before it is sent.
const photo = document.querySelector('input[type="file"][data-limit]');
if (photo instanceof HTMLInputElement) {
  document.querySelector('[data-scaled]')?.removeAttribute('hidden');
  const shown = Object.assign(document.createElement('canvas'), { className: 'chosen-photo', hidden: true });
  photo.after(shown);
  photo.addEventListener('change', async () => {
    const [file] = photo.files ?? [];
    // The service says why it does not take a file that this browser cannot read.
    const picture = file ? await createImageBitmap(file).catch(() => null) : null;
    shown.hidden = !picture;
    if (!file || !picture) return;
    shown.width = Math.round((picture.width / picture.height) * shown.height);
    shown.getContext('2d')?.drawImage(picture, 0, 0, shown.width, shown.height);
    if (file.size <= Number(photo.dataset.limit)) return;
    const scale = Math.min(1, 1600 / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
    const context = canvas.getContext('2d');
    if (!context) return;
    // A JPEG has no transparency, which would be black.
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const smaller = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
    const chosen = new DataTransfer();
    chosen.items.add(new File([smaller], file.name, { type: smaller.type }));
    if (photo.files?.[0] === file) photo.files = chosen.files;
  });
}

// A link to a line puts the cursor there.
document.addEventListener('click', ({ target }) => {
  const [, number] = /#line-(\d+)$/.exec((target instanceof Element && target.closest('a')?.href) || '') ?? [];
  const area = document.querySelector('.lines textarea');
  if (!number || !(area instanceof HTMLTextAreaElement)) return;
  const start = area.value.split('\n', Number(number) - 1).reduce((length, line) => length + line.length + 1, 0);
  // After the browser has gone to the line, which takes the focus from the text.
  setTimeout(() => {
    area.focus({ preventScroll: true });
    area.setSelectionRange(start, start);
  });
});

// Texts are as high as their lines. Some browsers do this by themselves.
function fit(/** @type {Element} */ area) {
  if (!(area instanceof HTMLTextAreaElement) || CSS.supports('field-sizing', 'content')) return;
  const width = area.wrap === 'off' ? Number.POSITIVE_INFINITY : area.cols * 2.5;
  area.rows = area.value
    .split('\n')
    .reduce((rows, line) => rows + Math.max(1, Math.ceil((line.length + 1) / width)), 0);
}
const fitAll = () => document.querySelectorAll(':is(.part-form, .lines) textarea').forEach(fit);
fitAll();
document.addEventListener('input', ({ target }) => {
  if (target instanceof Element && target.closest('.part-form, .lines')) fit(target);
});
