// Improvements of pages that work without this script.

// Browsers give no clipboard to pages that came over http.
if (navigator.clipboard === undefined)
  for (const button of document.querySelectorAll('[data-copy]')) button.setAttribute('hidden', '');

document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-copy]') : null;
  const source = button && document.getElementById(button.getAttribute('data-copy') ?? '');
  if (!button || !source) return;
  await navigator.clipboard.writeText(source.textContent ?? '');
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2_000);
});

// A page that answers a form is in no cache, and Back to it would ask to send the form again. The next form has what it
// keeps, so Back opens its address instead.
document.addEventListener('submit', () => history.replaceState(null, ''));

// A message that is typed and not sent is lost with the page, which a link to a file or to another program leaves open.
const writing = document.querySelector('.write form');
let isTyped = false;
let isKept = false;
writing?.addEventListener('input', () => {
  isTyped = true;
});
writing?.addEventListener('submit', () => {
  isTyped = false;
});
document.addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest('a') : null;
  isKept = link !== null && (link.closest('.files') !== null || !link.protocol.startsWith('http'));
});
addEventListener('beforeunload', (event) => {
  if (isTyped && !isKept) event.preventDefault();
  isKept = false;
});
