import assert from 'node:assert/strict';
import { formPost, openOwnDesk } from './desk.ts';
import { unescaped } from './pages.ts';

type Fields = readonly (readonly [name: string, value: string])[];

/** The fields that a browser sends of the form of a page, without the button. */
export function fieldsOf(page: string): Fields {
  const [, form = ''] = /<form class="part-form"[^>]*>(.*?)<\/form>/s.exec(page) ?? assert.fail('no form');
  const controls = form.matchAll(
    /<input ([^>]*)>|<textarea ([^>]*)>\n?([^<]*)<\/textarea>|<select ([^>]*)>(.*?)<\/select>/gs,
  );
  return [...controls].flatMap(([, input, area, text = '', select, options = '']): [string, string][] => {
    const attributes = input ?? area ?? select ?? '';
    const attribute = (name: string, within = attributes) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(within)?.[1];
    const name = unescaped(attribute('name')!);
    if (attributes.includes('type="file"')) return [];
    if (/type="(checkbox|radio)"/.test(attributes) && !attributes.includes(' checked')) return [];
    if (select !== undefined)
      return [[name, attribute('value', / value="[^"]*" selected/.exec(options)?.[0] ?? '') ?? '']];
    return [[name, unescaped(input === undefined ? text : (attribute('value') ?? 'on')).replaceAll('\n', '\r\n')]];
  });
}

/** The text in a control of the form of a page. */
export const typedAt = (page: string, name: string): string | undefined =>
  fieldsOf(page)
    .find(([one]) => one === name)?.[1]
    ?.replaceAll('\r\n', '\n');

/** A request that sends fields with a file, as a browser does. */
function formUpload(
  fields: readonly (readonly [string, string | File])[],
  headers: Record<string, string>,
): RequestInit {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', ...headers }, body, redirect: 'manual' };
}

/** Opens a service with a profile file of its own, whose owner edits it in forms at the desk. */
export async function openEditor(...args: Parameters<typeof openOwnDesk>) {
  const desk = await openOwnDesk(...args);
  /** Sends the form of a page, with other values in some of its fields, by a button of it. */
  async function send(
    shown: string,
    button: string,
    typed: Record<string, string | readonly string[]> = {},
    file = new File([], ''),
  ) {
    const [, action = ''] = /<form class="part-form" method="post" action="([^"]+)"/.exec(shown)!;
    const kept = fieldsOf(shown).filter(([name]) => !(name in typed));
    const filled = Object.entries(typed).flatMap(([name, values]) => [values].flat().map((one) => [name, one]));
    const fields = [...kept, ...filled, ['do', button]].map(([a, b]): [string, string] => [a!, b!]);
    const response = await desk.ask(
      action,
      action.includes('/upload')
        ? formUpload([...fields.slice(0, -1), ['photo', file], ...fields.slice(-1)], { cookie: desk.cookie })
        : { ...formPost({}, { cookie: desk.cookie }), body: new URLSearchParams(fields).toString() },
    );
    const { headers } = response;
    const to = headers.get('location') ?? '';
    return { status: response.status, to, text: await response.text(), cookies: headers.getSetCookie() };
  }
  return { ...desk, send };
}

/** The id of the draft that an address leads to. */
export const draftIn = (location: string): string => /draft=(\w+)/.exec(location)?.[1] ?? assert.fail(location);
