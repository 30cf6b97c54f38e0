// What improves pages that work without it.

/** Copies what a button names. */
document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-copy]') : null;
  if (!(button instanceof HTMLButtonElement)) return;
  const source = document.getElementById(button.dataset.copy ?? '');
  if (source === null) return;
  const text = source instanceof HTMLInputElement ? source.value : (source.dataset.text ?? source.textContent ?? '');
  await navigator.clipboard.writeText(text);
  const label = button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = label;
  }, 2_000);
});

// Hidden in the HTML: without this module they would do nothing.
for (const element of document.querySelectorAll('[data-needs-script]')) element.removeAttribute('hidden');
