import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import MiniSearch from 'minisearch';
import type { Profile } from 'resume-profile/profile-document';
import { openEvidenceIndex, searchedTextsOf, termsOf } from '../../../src/operations/evidence/evidence-index.ts';
import { maxRequirements, requirementsOf } from '../../../src/operations/evidence/requirements.ts';
import { adversarialTexts } from '../../support/adversarial-jobs.ts';
import { hugeProfile, measureEvidence, profileOf } from '../../support/marked-jobs.ts';

suite('the requirements of a job', () => {
  const job = (...lines: string[]) => requirementsOf(lines.join('\n'));

  test('are the items under headings for them, in their order, and not tasks, benefits and law', () => {
    assert.deepEqual(
      job(
        'About us',
        'We require the best coffee.',
        'What you will do',
        '- Run things',
        'What you bring',
        '- Go or Rust',
        '* Kafka',
        'Nice to have:',
        '• Terraform',
        'Benefits',
        '- Experience the mountains',
        '',
        'We are an equal opportunity employer.',
      ),
      ['Go or Rust', 'Kafka', 'Terraform'],
    );
  });

  test('are found with any bullet, number, line end, and after a line that goes on', () => {
    const marks = ['-', '*', '+', '•', '·', '–', '—', '‣', '▪', '1.', '(2)', '3)', 'b)'];
    assert.deepEqual(
      requirementsOf(`Requirements\r\n${marks.map((mark) => `  ${mark}  item of ${mark}`).join('\r\n')}`),
      marks.map((mark) => `item of ${mark}`),
    );
    assert.deepEqual(job('Requirements', '- Several years', '  of Go', '- Kafka'), ['Several years of Go', 'Kafka']);
    assert.deepEqual(job('> Requirements', '> - Go', '>', '> > You must write.'), ['Go', 'You must write.']);
  });

  test('are found in HTML that was pasted, without its tags and entities', () => {
    const html = `<div><h2 class="x">Requirements</h2><ul><li>C&#43;&#x2B; &amp; <b>Rust</b></li><li><p>Kafka</p></li></ul>
      <h3>Benefits</h3><ul><li>Coffee</li></ul><script>var experience = 'with nothing';</script></div>`;
    assert.deepEqual(requirementsOf(html), ['C++ & Rust', 'Kafka']);
  });

  test('are the sentences of prose that say what an applicant should have, but not questions', () => {
    assert.deepEqual(
      job(
        'We sell tea. You must be able to lift 20 kg, e.g. Sacks. Do you have a minute? Experience with tea is a plus.',
      ),
      ['You must be able to lift 20 kg, e.g. Sacks.', 'Experience with tea is a plus.'],
    );
  });

  test('are sentences that call something a requirement, plus or advantage, and not a date', () => {
    assert.deepEqual(
      job(
        'Pay is good. 5 years of tea are a hard requirement. Latin is a big plus, of min. 2 years. Say when you have 20 minutes.',
      ),
      ['5 years of tea are a hard requirement.', 'Latin is a big plus, of min. 2 years.'],
    );
  });

  test('are found under headings in other languages', () => {
    for (const [heading, end] of [
      ['Ihr Profil', 'Wir bieten'],
      ['Profil recherché', 'Avantages'],
      ['Requisitos', 'Ofrecemos'],
    ])
      assert.deepEqual(job(`${heading}:`, '- Python', `${end}:`, '- Café'), ['Python'], heading);
  });

  test('are found if the list has lost its bullets, also when an item has words of a heading', () => {
    const items = [
      '5+ years of experience',
      'Experience with Kafka',
      'Team player',
      'Work in a team',
      'Able to work long hours',
      'Knowledge of Go',
      'Background in law',
    ];
    for (const between of ['', '\n'])
      assert.deepEqual(
        job(
          `Basic Qualifications${between}`,
          ...items.map((item) => item + between),
          `Benefits${between}`,
          'Free lunch',
        ),
        items,
      );
  });

  test('are a line each, also if they begin with a small letter', () => {
    assert.deepEqual(
      job('Ihr Profil', 'Führerschein Klasse B', 'mind. 2 Jahre Erfahrung', 'Das bieten wir dir', 'Urlaub'),
      ['Führerschein Klasse B', 'mind. 2 Jahre Erfahrung'],
    );
  });

  test('are found under a heading about the applicant, and a sentence that leads to a list', () => {
    for (const heading of [
      'About you',
      'What you will need',
      'You may be a fit if you:',
      'Strong candidates may also have:',
      'To be successful in this role, you will need to have:',
      'Education',
    ])
      assert.deepEqual(
        job('You must smile.', 'About us', '- Tea', '', heading, '- Python', '', 'What we offer', '- Experience'),
        ['You must smile.', 'Python'],
        heading,
      );
    assert.deepEqual(
      job('Essential functions', '- Serves tea', 'About the role', '- Pours', 'Required skills', '- Tea'),
      ['Tea'],
    );
  });

  test('are whole where their lines are wrapped, also before a capital letter or a number', () => {
    assert.deepEqual(
      job(
        'We are a small company in the north of the country, which forecasts how',
        'rivers rise, and have done so for as long as anybody here remembers, in',
        'all weathers.',
        'You must know how to measure the discharge of a river and be able to use',
        'Python. A degree in hydrology is required, and at least, e.g. as a student,',
        '3 years of field work.',
      ),
      [
        'You must know how to measure the discharge of a river and be able to use Python.',
        'A degree in hydrology is required, and at least, e.g. as a student, 3 years of field work.',
      ],
    );
  });

  test('are the tasks if nothing else is named, and none of a text that names nothing', () => {
    assert.deepEqual(job('Responsibilities', '- Run the forecast'), ['Run the forecast']);
    for (const text of ['', ' \n\t', 'Hello', '---', '🙂', '<p></p>']) assert.deepEqual(requirementsOf(text), [], text);
  });

  test('are whole characters, from right to left too, however long a word is', () => {
    assert.deepEqual(job('Requirements:', '- خبرة في Kafka', '- 精通 Go 语言'), ['خبرة في Kafka', '精通 Go 语言']);
    const [long] = job('Requirements:', `- ${'🙂'.repeat(5_000)}x${'a'.repeat(9_000)}`);
    assert.equal(long, undefined);
    const [words] = job('Requirements:', `- a${'🙂'.repeat(5_000)}`);
    assert.ok(words!.isWellFormed() && words!.length <= 1_000);
  });
});

suite('the evidence for a requirement', () => {
  const evidenceIn = (profile: Profile, requirement: string) => openEvidenceIndex(profile)([requirement])[0]!;
  const lena = profileOf('lena');
  const wordsFor = (requirement: string) => evidenceIn(lena, requirement).map(({ words }) => words);

  test('is what shares a word in another form, a synonym or a part of a compound', () => {
    assert.deepEqual(wordsFor('Mentors others'), ['Mentored four engineers, two of whom were promoted to senior']);
    assert.deepEqual(wordsFor('k8s'), ['Kubernetes']);
    assert.deepEqual(
      evidenceIn(profileOf('nora'), 'Flood').map(({ place }) => place),
      ['name', 'summary'],
    );
  });

  test('is in the order of the profile, with the id of the entry and its words unchanged', () => {
    assert.deepEqual(evidenceIn(lena, 'Prometheus and raft'), [
      { id: 'proj_raft_lab', place: 'name', words: 'raft-lab' },
      {
        id: 'proj_raft_lab',
        place: 'summary',
        words: 'A teaching implementation of the Raft consensus protocol with a deterministic network simulator.',
      },
      { id: 'proj_raft_lab', place: 'tags.1', words: 'Raft' },
      { id: null, place: 'skills.12', words: 'Prometheus' },
    ]);
  });

  test('is not what shares a common word, one word of work or the verb “go”', () => {
    for (const requirement of ['You work well in a team', 'Design', 'Willing to go abroad', '2020', '', '!'])
      assert.deepEqual(wordsFor(requirement), [], requirement);
    assert.deepEqual(wordsFor('Go'), ['Go', 'Go']);
  });

  test('is a text with one word of work, and not what only begins as a word of the requirement does', () => {
    const skills = ['Prototyping', 'Prototyping of pumps', 'Medicines', 'Trips to countries', 'Counting'];
    const profile = { ...lena, experience: [], projects: [], resume: { ...lena.resume, skills } };
    const placesOf = (requirement: string) => evidenceIn(profile, requirement).map(({ place }) => place);
    assert.deepEqual(placesOf('Fluency in prototyping tools'), ['skills.0']);
    assert.deepEqual(placesOf('A medical ward'), []);
    assert.deepEqual(placesOf('You count'), ['skills.4']);
  });

  test('is not what shares part of an address, or the spelling of a language alone', () => {
    const linked = {
      ...lena,
      resume: { ...lena.resume, skills: ['[Rafting](https://github.com/lena/c)', 'Go', 'R', 'C'] },
    };
    const placesOf = (requirement: string) => evidenceIn(linked, requirement).map(({ place }) => place);
    for (const requirement of [
      'GitHub, see https://rafting.example',
      'Go to the limits',
      'A go-to-market strategy: Go-to-market',
      'C-level support in Objective-C',
      'R&D',
    ])
      assert.deepEqual(placesOf(requirement), [], requirement);
    assert.deepEqual(placesOf('Go-based services in C, and R'), ['tags.0', 'skills.1', 'skills.2', 'skills.3']);
  });

  test('is found by names that are common words in another spelling, and by letters with an ampersand', () => {
    const skills = ['Excel', 'P&L of two plants', 'Excellent manners'];
    const accountant = { ...lena, resume: { ...lena.resume, skills } };
    const placesOf = (requirement: string) => evidenceIn(accountant, requirement).map(({ place }) => place);
    assert.deepEqual(placesOf('Microsoft Excel'), ['skills.0']);
    assert.deepEqual(placesOf('Excel at details'), []);
    assert.deepEqual(placesOf('Profit and loss'), ['skills.1']);
    assert.deepEqual(placesOf('P&L responsibility'), ['skills.1']);
  });

  test('has certifications only if programs can read the background', () => {
    const profile = profileOf('nora');
    assert.match(JSON.stringify(searchedTextsOf(profile)), /Diver/);
    assert.doesNotMatch(JSON.stringify(searchedTextsOf({ ...profile, background: false })), /Diver/);
    const resume = { ...profile.resume, hides: { programs: ['certifications' as const] } };
    assert.doesNotMatch(JSON.stringify(searchedTextsOf({ ...profile, resume })), /Diver/);
  });

  test('says until when a certification is valid', () => {
    const nora = profileOf('nora');
    const certifications = [{ name: 'Registered Nurse', summary: 'Nurse in Maine', end_date: '2028-03' }];
    const nurse = { ...nora, resume: { ...nora.resume, certifications } };
    assert.deepEqual(evidenceIn(nurse, 'Registered nurse'), [
      { id: null, place: 'certifications.0.name', words: 'Registered Nurse' },
      { id: null, place: 'certifications.0.end_date', words: '2028-03' },
      { id: null, place: 'certifications.0.summary', words: 'Nurse in Maine' },
    ]);
    // A number in a job is not the number of a month.
    assert.deepEqual(evidenceIn(nurse, '03 reference letters'), []);
  });

  test('has nothing of education, languages, notes, references, interests and contact', () => {
    const texts = JSON.stringify(searchedTextsOf({ ...profileOf('nora'), notes: ['Nobody reads this'] }));
    assert.doesNotMatch(texts, /Uppsala University|Swedish"|Nobody|Anna Bos|Canoeing|nora@|\+46/);
  });

  test('is at most 20 texts', () => {
    const skills = Array.from({ length: 50 }, (_, n) => (n < 30 ? `Falconry ${n}` : `Falconry, archery ${n}`));
    const many = { ...lena, resume: { ...lena.resume, skills } };
    const placesOf = (requirement: string) => evidenceIn(many, requirement).map(({ place }) => place);
    assert.deepEqual(
      placesOf('Falconry'),
      Array.from({ length: 20 }, (_, n) => `skills.${n}`),
    );
    // The best of them, and again in the order of the profile.
    assert.deepEqual(
      placesOf('Falconry and archery'),
      Array.from({ length: 20 }, (_, n) => `skills.${n + 30}`),
    );
  });
});

test('the work on a text is bounded, whatever the text is, in a profile of 100 jobs', (t) => {
  const lookUps = t.mock.method(MiniSearch.prototype, 'search').mock;
  const profile = hugeProfile();
  const search = openEvidenceIndex(profile);
  for (const [name, text] of Object.entries(adversarialTexts(profile))) {
    assert.ok(Buffer.byteLength(text) <= 20_000, name);
    const requirements = requirementsOf(text);
    assert.ok(requirements.length <= maxRequirements, name);
    assert.ok(Math.max(0, ...requirements.map(({ length }) => length)) <= 1_000, name);
    const terms = requirements.flatMap(termsOf);
    assert.ok(terms.length <= 8_000, name);
    assert.ok(Math.max(0, ...terms.map(({ length }) => length)) <= 45, name);
    lookUps.resetCalls();
    assert.ok(Math.max(0, ...search(requirements).map(({ length }) => length)) <= 20, name);
    // A word is looked up once, however often a job names it.
    assert.equal(lookUps.callCount(), new Set(terms).size, name);
  }
});

test('the index of a profile is made once, and words of one job are not kept for the next', (t) => {
  const profile = profileOf('lena');
  assert.equal(openEvidenceIndex(profile), openEvidenceIndex(profile));
  const lookUps = t.mock.method(MiniSearch.prototype, 'search').mock;
  for (const _ of [1, 2]) openEvidenceIndex(profile)(['Kafka']);
  assert.equal(lookUps.callCount(), 2);
});

test('of what is marked by hand, at least 85 % is found, and at least 70 % of what is found is marked', async () => {
  const { recall, precision, contradicted, requirements } = await measureEvidence('jobs');
  assert.ok(recall >= 0.85, `recall is ${recall}`);
  assert.ok(precision >= 0.7, `precision is ${precision}`);
  assert.deepEqual(contradicted, []);
  assert.deepEqual([requirements.missed, requirements.extra], [[], []]);
});
