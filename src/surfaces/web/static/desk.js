// Improvements of the desk, which works without this script.

// Only a script knows the time zone of this browser. The cookie is there until the browser is closed.
const desk = document.querySelector('[data-desk]')?.getAttribute('data-desk');
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const secure = location.protocol === 'https:' ? '; secure' : '';
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context
if (desk) document.cookie = `desk_zone=${encodeURIComponent(timeZone)}; path=${desk}; samesite=lax${secure}`;

// A chart is one stop of the tab key; arrows lead to its other bars.
for (const chart of document.querySelectorAll('.chart svg')) {
  const bars = [...chart.querySelectorAll('g[tabindex]')].filter((bar) => bar instanceof SVGElement);
  /** @param {SVGElement | undefined} entry */
  const setEntry = (entry) => {
    for (const bar of bars) bar.setAttribute('tabindex', bar === entry ? '0' : '-1');
  };
  setEntry(bars.at(-1));
  chart.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent)) return;
    const at = bars.indexOf(/** @type {SVGElement} */ (document.activeElement));
    const targets = new Map([
      ['ArrowLeft', at - 1],
      ['ArrowRight', at + 1],
      ['Home', 0],
      ['End', bars.length - 1],
    ]);
    const next = bars[targets.get(event.key) ?? -1];
    if (at === -1 || next === undefined) return;
    event.preventDefault();
    setEntry(next);
    next.focus();
  });
}

// Escape closes what asks in place, and leads back to what opened it.
document.addEventListener('keydown', ({ key, target }) => {
  const opened = target instanceof Element ? target.closest('details.in-place[open]') : null;
  if (key !== 'Escape' || !opened) return;
  opened.removeAttribute('open');
  opened.querySelector('summary')?.focus();
});

// While a file is sent and read, its button says so. The page may be shown again by the button Back.
for (const form of document.querySelectorAll('form.upload')) {
  const button = form.querySelector('button');
  const words = button?.textContent ?? '';
  form.addEventListener('submit', () => button?.replaceChildren('Reading…'));
  addEventListener('pageshow', () => button?.replaceChildren(words));
}
