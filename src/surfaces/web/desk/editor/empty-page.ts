import { dirname } from 'node:path';
import { html } from 'hono/html';
import { toProfileYaml } from 'resume-profile/profile-writer';
import { toVisible } from 'resume-profile/text';
import { type Answers, type FieldQuestion, questions, toAnswered } from '../../../../model/profile/answers.ts';
import { getProfileDocument, saveDraft } from '../../../../operations/owner/profile.ts';
import { schemaFrom } from '../../../../profile-schema.ts';
import { faultOf } from '../../form.ts';
import type { Html } from '../../page.ts';
import type { Desk, DeskPage, DeskRouter } from '../router.ts';
import { toDate } from './dates.ts';

const path = '/desk/profile/new';

/** The questions of `init` that are asked here, with the `autocomplete` of each. */
const asked = (
  [
    ['name', 'name'],
    ['title', 'organization-title'],
    ['location', 'address-level2'],
    ['email', 'email'],
    ['company', 'organization'],
    ['role', 'organization-title'],
    ['since', 'off'],
    ['skills', 'off'],
  ] as const
).map(([name, autocomplete]) => ({ question: questions.find((one) => one.name === name)!, autocomplete }));

/** Adds the page that makes a draft of a profile from a few answers. */
export function addEmptyPageTo(desk: DeskRouter, { site, run }: Desk): void {
  desk.early.page(path, async ({ formToken }) => page({ formToken, typed: {} }));

  desk.early.action(`${path}/save`, async ({ fields, formToken, session }) => {
    const typed = Object.fromEntries(asked.map(({ question: { name } }) => [name, fields.get(name) ?? '']));
    const { profile, faults } = toAnswered({ ...typed, since: String(toDate(typed.since ?? '')) });
    if (profile === null) return page({ formToken, typed, faults });
    const { name, revision } = await run(getProfileDocument, {});
    const text = toProfileYaml(profile, { schema: schemaFrom(dirname(name)) });
    const { id, message } = await run(saveDraft, {
      text,
      base_revision: revision,
      name: 'From an empty page',
      session: session.id,
    });
    if (id === null) return page({ formToken, typed, refusal: message });
    return `/desk/profile/edit/${profile.experience.length > 0 ? 'experience/0' : 'summary'}?draft=${id}&done=saved`;
  });

  interface Shown {
    readonly formToken: Html;
    readonly typed: Answers;
    /** The faults of answers, by the names of their questions. */
    readonly faults?: ReadonlyMap<string, string>;
    readonly refusal?: string | null;
  }

  function page({ formToken, typed, faults = new Map(), refusal = null }: Shown): DeskPage {
    const isRefused = faults.size > 0 || refusal !== null;
    return {
      title: isRefused ? 'Not begun: start from an empty page' : 'Start from an empty page',
      section: 'Profile',
      status: isRefused ? 422 : 200,
      body: html`<div class="first-profile">
<p class="small"><a href="${site.path('/desk/profile/import')}">Put your profile here</a></p>
<h1>Start from an empty page</h1>
<p class="lead">A few answers make a draft, which you go on with in forms. Nobody sees it until you publish it.</p>
${refusal === null ? '' : html`<p class="notice bad" role="alert">Not begun: ${toVisible(refusal)} Nothing that you typed is lost.</p>`}
<form class="part-form" method="post" action="${site.path(`${path}/save`)}">
${formToken}<div class="part-fields">${asked.map(({ question, autocomplete }) => control(question, autocomplete, typed[question.name] ?? '', faults.get(question.name)))}</div>
<p class="begin"><button>Begin</button></p>
</form>
</div>`,
    };
  }
}

function control(
  { name, text, isOptional = false, isAsked }: FieldQuestion,
  autocomplete: string,
  typed: string,
  fault: string | undefined,
): Html {
  const { line, attributes } = faultOf(name, fault && `This ${fault}.`);
  const isRequired = !isOptional && isAsked === undefined;
  const condition = isOptional ? 'optional' : isAsked === undefined ? null : 'if you work somewhere';
  return html`<div class="field"><label for="${name}">${text}${condition === null ? '' : html` <span class="soft">(${condition})</span>`}</label>
${line}<input type="${name === 'email' ? 'email' : 'text'}" id="${name}" name="${name}" value="${typed}" dir="auto" autocomplete="${autocomplete}"${isRequired ? ' required' : ''}${attributes}></div>
`;
}
