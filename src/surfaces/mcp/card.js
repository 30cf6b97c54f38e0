// Shows the result of a tool that its host hands over (MCP Apps, 2026-01-26). Texts of the profile are only ever text.

/**
 * @typedef {{ title: string, start_date: string, end_date?: string | null, accomplishments: string[] }} Role
 * @typedef {{ company: string, company_start_date: string, company_end_date?: string | null, current: boolean,
 *   summary?: string, roles: Role[] }} Experience
 * @typedef {{ name: string, title: string, location: string, summary: string, years_experience: number,
 *   domains: string[] }} Candidate
 * @typedef {{ name: string, title: string, experience: Experience[], skills: string[] }} Resume
 * @typedef {{ isError?: boolean, content?: { text?: string }[], structuredContent?: { data?: unknown } }} ToolResult
 * @typedef {{ theme?: string, styles?: { variables?: Record<string, string | undefined> } }} HostContext
 */

const root = document.documentElement;
const main = /** @type {HTMLElement} */ (document.querySelector('main'));
const footer = /** @type {HTMLElement} */ (document.querySelector('footer'));
const download = /** @type {HTMLButtonElement} */ (document.querySelector('button'));
const status = /** @type {HTMLElement} */ (document.querySelector('[role="status"]'));

/** How many entries are shown before the others are asked for. */
const shownEntries = 3;

/** The arguments that the tool was called with. @type {{ current?: boolean }} */
let input = {};
/** What the host can do. @type {{ serverTools?: object }} */
let host = {};
/** The address of the PDF, once known. @type {string | null} */
let pdf = null;

/** @param {string} tag @param {string} name @param {(Node | string)[]} content */
function element(tag, name, ...content) {
  const made = document.createElement(tag);
  if (name !== '') made.className = name;
  made.append(...content);
  return made;
}

/** The signs of a Latin name, as in C++, keep their place among letters from right to left. @param {string} text */
const unmarked = (text) =>
  text
    .split(/((?<!\p{Script=Latin})\p{Script=Latin}+[+#]+)/u)
    .map((part, index) => (index % 2 ? element('bdi', '', part) : part));

/** Texts of the profile, each in its own direction, without the empty ones. @param {string} tag @param {string} name @param {string[]} texts */
const written = (tag, name, texts, set = unmarked) =>
  texts
    .filter((text) => text !== '')
    .map((text) => {
      const made = element(tag, name, ...set(text));
      made.dir = 'auto';
      return made;
    });

const mark = new RegExp(
  [
    /\\(?<kept>[*`[])/,
    /`(?<code>[^`]+)`/,
    /(?<!!)\[(?<label>[^[\]]+)\]\((?<url>(?:https?:\/\/|mailto:)(?:[^\s()<>]|\([^\s()<>]*\))+)\)/,
    /\*\*(?!\s)(?<strong>(?:[^\\]|\\.)+?)(?<!\s)\*\*(?!\*)/,
    /\*(?![\s*])(?<em>(?:[^*\\]|\\.|\*\*[^*]+\*\*)+?)(?<!\s)\*(?!\*)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gsu',
);

/** A text with its marks as elements, as the page sets it. @param {string} text */
function marked(text) {
  /** @type {(HTMLElement | string)[]} */
  const parts = [];
  let end = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(mark)) {
    parts.push(...unmarked(text.slice(end, index)), toMark(groups));
    end = index + whole.length;
  }
  return [...parts, ...unmarked(text.slice(end))];
}

/** @param {Record<string, string | undefined>} groups @returns {HTMLElement | string} */
function toMark({ kept, code, label, url = '', strong, em = '' }) {
  if (kept) return kept;
  if (code) return Object.assign(element('code', '', code), { dir: 'auto' });
  if (label) return Object.assign(element('a', '', ...marked(label)), { href: url });
  return strong ? element('strong', '', ...marked(strong)) : element('em', '', ...marked(em));
}

/** A text whose lines may be bullets. Without another mark, a backslash is a character. @param {string} text */
function prose(text) {
  const lines = text.replace(/^[^\S\n]*- +(?=\S)/gm, '• ');
  const isMarked = [...lines.matchAll(mark)].some(({ groups }) => !groups?.kept);
  return isMarked ? marked(lines) : unmarked(lines);
}

/** @param {(Node | string)[]} parts @param {string} separator */
const joined = (parts, separator) => parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));

/** A line of texts after a label. @param {string} label @param {string[]} items */
function listed(label, items) {
  if (items.length === 0) return [];
  return [element('p', 'list', element('strong', '', `${label}: `), ...joined(written('bdi', '', items), ', '))];
}

/** The marker of a bullet stands where the card begins, also before a text in another direction. @param {string[]} items */
const bullets = (items) =>
  items.length === 0
    ? []
    : [element('ul', '', ...written('bdi', '', items, prose).map((item) => element('li', '', item)))];

const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A year without a month is its first or last day in results. @param {string} date */
const toWords = (date) => (/-(?:01-01|12-31)$/.test(date) ? date.slice(0, 4) : month.format(new Date(date)));

/** @param {string} date */
const time = (date) => Object.assign(element('time', '', toWords(date)), { dateTime: date });

/** The head of an entry; its heading is left out if it has no name. @param {string} tag @param {string[]} names @param {string} start @param {string | null} [end] */
function head(tag, names, start, end) {
  const [name, ...others] = written('bdi', '', names);
  const beside = others.map((it) => element('span', 'beside', ', ', it));
  const isShort = end === undefined || (end !== null && toWords(end) === toWords(start));
  const until = isShort ? [] : [' – ', end === null ? 'present' : time(end)];
  return element(
    'header',
    '',
    ...(name === undefined ? [] : [element(tag, '', name, ...beside)]),
    element('p', 'dates', time(start), ...until),
  );
}

/** An entry; one whose only role lasted as long has both names in its head. @param {Experience} entry @param {number} level */
function article({ company, company_start_date: start, company_end_date: end, summary = '', roles }, level) {
  const [only] = roles;
  const isOne = roles.length === 1 && only?.start_date === start && only.end_date === end;
  const toRole = (/** @type {Role} */ { title, start_date, end_date, accomplishments }) =>
    element('div', 'role', head(`h${level + 1}`, [title], start_date, end_date), ...bullets(accomplishments));
  return element(
    'article',
    '',
    head(`h${level}`, isOne ? [only.title, company] : [company], start, end),
    ...written('p', '', [summary], prose),
    ...(isOne ? bullets(only.accomplishments) : roles.map(toRole)),
  );
}

/** @param {Experience[]} entries @param {number} level */
function articles(entries, level) {
  const all = entries.map((entry) => article(entry, level));
  const others = all.splice(shownEntries);
  if (others.length === 0) return all;
  return [...all, element('details', '', element('summary', '', `${others.length} more`), ...others)];
}

/** @param {string} name @param {string} title */
const person = (name, title) => [
  ...(name === '' ? [element('h1', '', 'The candidate')] : written('h1', '', [name])),
  ...written('p', 'title', [title]),
];

/** @param {Candidate} candidate */
function toCandidate({ name, title, location, summary, years_experience: years, domains }) {
  const lived = years === 0 ? [] : [`${years} ${years === 1 ? 'year' : 'years'} of experience`];
  const facts = [...written('bdi', '', [location]), ...lived];
  return [
    ...person(name, title),
    ...(facts.length === 0 ? [] : [element('p', 'soft small', ...joined(facts, ' · '))]),
    ...written('p', 'summary', [summary], prose),
    ...listed('Domains', domains),
  ];
}

/** @param {Experience[]} entries */
function toExperience(entries) {
  const title = input.current === undefined ? 'Experience' : input.current ? 'Current experience' : 'Past experience';
  const heading = element('h1', '', title);
  if (entries.length === 0) return [heading, element('p', 'soft', `The profile lists no ${title.toLowerCase()}.`)];
  return [heading, ...articles(entries, 2)];
}

/** @param {Resume} resume */
const toResume = ({ name, title, experience, skills }) => [
  ...person(name, title),
  ...listed('Skills', skills),
  ...(experience.length === 0 ? [] : [element('h2', '', 'Experience'), ...articles(experience, 3)]),
];

/** @param {string} url */
const toPdf = (url) => [
  element('h1', '', 'Resume as a PDF'),
  isWebAddress(url)
    ? element('p', 'soft', 'The link opens without a sign-in. It may expire.')
    : element('p', '', 'The file is at ', ...written('bdi', '', [url])),
];

/** @param {string} url */
const isWebAddress = (url) => /^(?:https?|mailto):/.test(url);

/** Throws if the data is from another tool than those with this card. @param {any} data @returns {Element[]} */
function toElements(data) {
  if (Array.isArray(data)) return toExperience(data);
  if ('url' in data) return toPdf(data.url);
  return 'experience' in data ? toResume(data) : toCandidate(data);
}

/** Why a tool failed, in the words of its result. @param {ToolResult} result @returns {string} */
function reasonOf({ content }) {
  try {
    return String(JSON.parse(content?.[0]?.text ?? '').error.message);
  } catch {
    return '';
  }
}

/** @param {Element[]} elements */
function show(elements) {
  main.replaceChildren(...elements);
  main.removeAttribute('aria-busy');
  // The card runs as its first text does: the language of the profile is not in the result.
  const first = main.querySelector('[dir="auto"]');
  root.dir = first === null ? 'ltr' : getComputedStyle(first).direction;
  status.textContent = '';
  download.hidden = pdf === null ? host.serverTools === undefined : !isWebAddress(pdf);
  footer.hidden = [...footer.querySelectorAll('a, button')].every((it) => it instanceof HTMLElement && it.hidden);
}

/** @param {ToolResult} result */
function showResult(result) {
  const data = result.structuredContent?.data;
  try {
    if (result.isError || data === undefined) throw new Error('no data');
    const elements = toElements(data);
    pdf = /** @type {{ url?: string }} */ (data).url ?? null;
    show(elements);
  } catch {
    show([element('h1', '', 'The profile could not be read'), ...written('p', '', [reasonOf(result)])]);
  }
}

/** @param {HostContext} context */
function applyContext({ theme, styles }) {
  if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme;
  const { variables = {} } = styles ?? {};
  const names = { paper: 'background-primary', ink: 'text-primary', soft: 'text-secondary', rule: 'border-primary' };
  const colours = Object.entries(names).map(([own, name]) => [own, variables[`--color-${name}`]]);
  // Some colours of the host among ours could not be read.
  const taken = [['sans', variables['--font-sans']], ...(colours.every(([, value]) => value) ? colours : [])];
  for (const [own, value] of taken) if (value) root.style.setProperty(`--${own}`, value);
}

/** The requests that the host has not answered. @type {Map<number, PromiseWithResolvers<any>>} */
const pending = new Map();
let latestId = 0;

/** @param {object} message */
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

/** @param {string} method @param {object} params */
function request(method, params) {
  latestId += 1;
  const answer = Promise.withResolvers();
  pending.set(latestId, answer);
  send({ id: latestId, method, params });
  return answer.promise;
}

/** Asks the host to open an address of the web, and shows it if that fails. @param {string} url */
async function openLink(url) {
  const isWeb = isWebAddress(url);
  const asked = isWeb ? request('ui/open-link', { url }) : Promise.reject();
  const isOpened = await asked.then(
    ({ isError }) => !isError,
    () => false,
  );
  footer.hidden &&= isOpened;
  const shown = [isWeb ? 'This program did not open ' : 'The file is at ', ...written('bdi', '', [url])];
  status.replaceChildren(...(isOpened ? [] : shown));
}

/** Returns the address of the PDF, which the tool makes. Throws if it does not. */
async function pdfUrl() {
  /** @type {ToolResult} */
  const result = await request('tools/call', { name: 'get_resume', arguments: { format: 'pdf' } });
  const url = /** @type {{ url?: string } | undefined} */ (result.structuredContent?.data)?.url;
  if (result.isError || url === undefined) throw new Error('no address');
  return url;
}

download.addEventListener('click', async () => {
  download.disabled = true;
  try {
    await openLink(pdf ?? (await pdfUrl()));
  } catch {
    status.textContent = 'The PDF is not available at the moment.';
  }
  download.disabled = false;
});

addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  event.preventDefault();
  void openLink(link.href);
});

/** The notifications that the host sends. @type {Record<string, (params: any) => void>} */
const notifications = {
  'ui/notifications/tool-input': (params) => {
    input = params.arguments ?? {};
  },
  'ui/notifications/tool-result': showResult,
  'ui/notifications/tool-cancelled': ({ reason = '' }) =>
    show([element('h1', '', 'The call was cancelled'), ...written('p', 'soft', [reason])]),
  'ui/notifications/host-context-changed': applyContext,
};

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  const { id, method, params, result, error } = data;
  if (method === undefined) {
    const answer = pending.get(id);
    pending.delete(id);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error(error.message));
  } else if (id === undefined) notifications[method]?.(params ?? {});
  else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
  else send({ id, error: { code: -32601, message: 'Method not found' } });
});

const { hostCapabilities, hostContext } = await request('ui/initialize', {
  protocolVersion: '2026-01-26',
  appInfo: { name: 'candidate-profile', version: '1' },
  appCapabilities: { availableDisplayModes: ['inline'] },
});
host = hostCapabilities ?? {};
applyContext(hostContext ?? {});
send({ method: 'ui/notifications/initialized', params: {} });
new ResizeObserver(() =>
  send({
    method: 'ui/notifications/size-changed',
    params: { width: innerWidth, height: Math.ceil(document.body.getBoundingClientRect().height) },
  }),
).observe(document.body);
