// Marks the section being read in the contents, and filters operations, fields and errors by the words typed.

/** The links of the contents within the page, by the id that they lead to. @type {Map<string, HTMLAnchorElement>} */
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

const input = document.getElementById('filter');
const count = document.getElementById('filter-count');

/** @param {readonly (Node | null)[]} nodes */
const textOf = (nodes) =>
  nodes
    .map((node) => node?.textContent ?? '')
    .join(' ')
    .toLowerCase();

/** The rows of a section: errors, and fields with their text but not their inner fields. @param {Element} section */
const rowsOf = (section) => [
  ...[...section.querySelectorAll('.fields > dt')].map((name) => {
    const about = name.nextElementSibling;
    const said = [...(about?.childNodes ?? [])].filter((node) => !(node instanceof HTMLDListElement));
    const isError = name.parentElement?.previousElementSibling?.id.endsWith('-errors') === true;
    const noun = isError ? 'error' : name.id.startsWith('resource-') ? 'resource' : 'field';
    return { noun, elements: [name, about], text: textOf([name, ...said]) };
  }),
  ...[...section.querySelectorAll('tbody tr')].map((row) => ({
    noun: section.getAttribute('aria-labelledby') === 'errors' ? 'error' : 'limit',
    elements: [row],
    text: textOf([row]),
  })),
];

const sections = [...document.querySelectorAll('main section')].map((section) => {
  const prose = [...(section.querySelector('.prose')?.children ?? [])];
  const id = section.getAttribute('aria-labelledby') ?? '';
  const address = section.querySelector('.address');
  const headings = prose.filter((element) => /^H[123]$/.test(element.tagName));
  // Each part begins with a heading; the first has the name and the summary.
  const parts = Map.groupBy(prose, (element) =>
    prose.slice(0, prose.indexOf(element) + 1).findLast(({ tagName }) => tagName === 'H3'),
  );
  const noun = address !== null ? 'operation' : id.startsWith('tool-') ? 'tool' : 'section';
  const title = headings[0]?.tagName === 'H1' ? headings : headings.slice(0, 1);
  const head = textOf(address === null ? title : [...title, address, address.nextElementSibling]);
  return { section, id, noun, head, rows: rowsOf(section), parts: [...parts.values()].slice(1) };
});

/**
 * @param {Element | null} element
 * @param {boolean} isHidden
 */
const hide = (element, isHidden) => element?.toggleAttribute('hidden', isHidden);

/** @param {string} query */
function filter(query) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  /** @param {string} text */
  const isFound = (text) => words.every((word) => text.includes(word));
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const { section, id, noun, head, rows, parts } of sections) {
    const isHeadFound = isFound(head);
    const foundRows = rows.filter(({ text }) => isFound(text));
    if (isHeadFound) found.set(noun, (found.get(noun) ?? 0) + 1);
    for (const { noun } of foundRows) found.set(noun, (found.get(noun) ?? 0) + 1);
    const elements = foundRows.flatMap((row) => row.elements);
    /** @param {Element | null} row */
    const isShown = (row) => isHeadFound || elements.some((one) => one?.contains(row) || row?.contains(one ?? null));
    const isHidden = !isHeadFound && foundRows.length === 0;
    links.get(id)?.closest('li')?.toggleAttribute('hidden', isHidden);
    // The title of the page stays.
    const hasTitle = section.querySelector('h1') !== null;
    for (const element of hasTitle ? section.querySelectorAll('.prose > :not(h1), .example') : [section])
      hide(element, isHidden);
    for (const row of rows) {
      const isHidden = !row.elements.some(isShown);
      for (const element of row.elements) hide(element, isHidden);
    }
    for (const part of parts) {
      const isHidden = !isHeadFound && !elements.some((one) => part.some((element) => element.contains(one ?? null)));
      for (const element of part) hide(element, isHidden);
    }
  }
  for (const list of document.querySelectorAll('.contents ul')) {
    const isEmpty = list.querySelector('li:not([hidden])') === null;
    hide(list, isEmpty);
    if (list.previousElementSibling?.tagName === 'P') hide(list.previousElementSibling, isEmpty);
  }
  const counts = [...found].map(([noun, count]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
  if (count !== null) count.textContent = words.length === 0 ? '' : counts.join(', ') || 'Nothing found';
}

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
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') clear();
    if (event.key !== 'Enter') return;
    const heading = document.querySelector('main section:not([hidden]) :is(h2, h3):not([hidden]) a');
    if (heading instanceof HTMLElement) heading.focus();
  });
  // A link may lead to what is hidden.
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.closest('[hidden]') == null) return;
    clear();
    target.scrollIntoView();
  });
  if (input.value !== '') filter(input.value);
}
