import type { InputCursor } from '../../source/input-cursor.ts';
import { changed, joined, layoutReason, omit, type Value } from '../../source/value.ts';
import type { Draft, Format } from '../draft.ts';
import { toPlain } from '../markdown.ts';
import { toPrintedLanguage } from '../printed-language.ts';
import { profileUrlOf } from '../profile-url.ts';
import { withoutContacts } from '../without-contacts.ts';
import { titleOf, toSections } from './sections.ts';

/** RenderCV 1 and 2. */
export const renderCv: Format = {
  name: 'RenderCV',
  description: 'an object with cv',
  recognises: (input) => input.at('cv').kind === 'object',
  toDraft(input) {
    const cv = input.at('cv');
    const sections = cv.at('sections');
    if (sections.keys.length === 0)
      throw new Error(`is a RenderCV file ${whatIsWrong(sections)}; versions from 1.0 on have their content there`);
    for (const key of ['design', 'locale', 'locale_catalog', 'settings', 'rendercv_settings', '$schema'])
      input.at(key).exclude(layoutReason);
    cv.at('sort_entries').exclude(layoutReason);
    return {
      name: toPlain(cv.text('name')),
      title: toPlain(cv.text('headline', 'label')),
      location: toPlain(cv.text('location')),
      email: firstOf(cv.texts('email'), 'The profile has only one e-mail address'),
      phone: joined(cv.texts('phone').map(toPhone), ', ', 'joined with the other phone numbers'),
      photo: toAddress(cv.text('photo')),
      links: toLinks(cv),
      language: toPrintedLanguage(input.at('locale').text('language') ?? input.at('locale_catalog').text('language')),
      ...toSections(sections, toUnlinked(cv)),
    } satisfies Draft;
  },
};

const whatIsWrong = ({ kind }: InputCursor) =>
  kind === 'nothing' || kind === 'object' ? 'without sections in cv.sections' : `whose cv.sections is a ${kind}`;

const addressOf = (account: InputCursor) => profileUrlOf(account.text('network'), account.text('username'));

const toLinks = (cv: InputCursor) => [
  ...cv.texts('website').map((url) => ({ url })),
  ...cv.items('social_networks').flatMap((account) => {
    const url = addressOf(account);
    return url ? { label: account.text('network'), url } : [];
  }),
  ...cv.items('custom_connections').flatMap((connection) => {
    connection.at('fontawesome_icon').exclude(layoutReason);
    const url = connection.text('url');
    return url ? { label: toPlain(connection.text('placeholder')), url } : [];
  }),
];

/** Sections for the accounts and connections that are not links. */
const toUnlinked = (cv: InputCursor) => [
  {
    title: titleOf('social_networks'),
    entries: withoutContacts(
      cv
        .items('social_networks')
        .filter((account) => !addressOf(account))
        .map((account) => ({ name: account.text('network'), details: account.text('username') })),
    ),
  },
  {
    title: titleOf('custom_connections'),
    entries: withoutContacts(
      cv
        .items('custom_connections')
        .filter((connection) => !connection.text('url'))
        .map((connection) => ({ text: toPlain(connection.text('placeholder')) })),
    ),
  },
];

function firstOf([first, ...others]: readonly Value[], why: string): Value | undefined {
  for (const other of others) omit(other, why);
  return first;
}

const toAddress = (photo: Value | undefined) =>
  photo && /^data:/i.test(photo.text) ? omit(photo, 'The picture is not a file') : photo;

const toPhone = (phone: Value) =>
  phone.text.startsWith('tel:') ? changed(phone, 'tel: removed', phone.text.slice(4)) : phone;
