// What improves pages that work without it.

// Browsers give no clipboard to pages that came over http.
if (navigator.clipboard === undefined)
  for (const button of document.querySelectorAll('[data-copy]')) button.setAttribute('hidden', '');

document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-copy]') : null;
  const source = button && document.getElementById(button.getAttribute('data-copy') ?? '');
  if (!button || !source) return;
  // Where the page shows invisible characters in another way, `data-text` has the text itself.
  await navigator.clipboard.writeText(source.getAttribute('data-text') ?? source.textContent ?? '');
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2_000);
});

// A token is kept in this browser only if the visitor wants that.
const key = 'candidate-profile token';
const token = document.querySelector('[data-keep]')?.textContent ?? '';
const keep = document.querySelector('#keep');
if (keep instanceof HTMLInputElement) {
  keep.checked = localStorage.getItem(key) === token;
  keep.addEventListener('change', () =>
    keep.checked ? localStorage.setItem(key, token) : localStorage.removeItem(key),
  );
}
const forget = document.querySelector('[data-forget]');
forget?.addEventListener('click', () => {
  localStorage.removeItem(key);
  location.replace(forget.getAttribute('data-forget') ?? '/');
});

// The first page opens the profile with the kept token, unless it shows a notice.
const kept = localStorage.getItem(key);
const form = document.querySelector('#open');
if (kept !== null && form instanceof HTMLFormElement) {
  const field = form.elements.namedItem('token');
  if (document.querySelector('[data-drop-kept]')) localStorage.removeItem(key);
  else if (document.querySelector('[data-open-kept]') && field instanceof HTMLInputElement) {
    field.value = kept;
    form.requestSubmit();
  }
}
