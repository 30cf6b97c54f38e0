// Improvements of pages; they work without this script.

// Browsers give no clipboard to pages loaded over http.
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

// The response to a form is in no cache, and going Back to it would ask to send the form again. The next form has its
// values, so Back opens its address instead.
document.addEventListener('submit', () => history.replaceState(null, ''));

// An unsent message is lost with the page, except that a link to a file or to another program leaves the page open.
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
