import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from 'htmlparser2';
import type { Page } from 'resume-documents/docx/document';
import { toDocx } from 'resume-documents/docx/resume';
import { withoutMetadata } from 'resume-documents/pdf/photo';
import type { Profile } from 'resume-profile/profile-document';
import { fixture, readProfile } from '../../../resume-profile/test/documents.ts';
import { readDocx } from '../docx.ts';
import { exifOf, jpegOf, segmentOf, withSegments } from '../images.ts';
import { sample, small, whole } from './profiles.ts';

const read = async (profile: Profile, page: Partial<Page> = {}) =>
  readDocx(await toDocx(profile, { paper: 'a4', photo: null, ...page }));
const inLanguage = (language: string) => readProfile(fixture(`languages/${language}.yaml`)).profile!;

test('a document of Word has what the PDF shows, in its order: headings by level, lists, and links', async () => {
  const { paragraphs } = await read(whole);
  assert.deepEqual(paragraphs, [
    'Heading1: Nora Lindqvist',
    'Headline: Hydrologist',
    'Contacts: Uppsala, Sweden · [nora@nora.example](mailto:nora@nora.example) · [+46 18 000 000](tel:+4618000000)',
    'Contacts: [linkedin.com/in/nora-example](https://www.linkedin.com/in/nora-example) · [nora.example](https://nora.example)',
    'Models how rivers flood, and tells towns in time.',
    'Heading2: Experience',
    'Heading3: [Watergauge](https://watergauge.example) · Uppsala\tApr 2019 – present',
    'Forecasts for forty towns.',
    'Heading4: Lead Hydrologist\tJan 2022 – present',
    'ListParagraph: Halved the error of the two-day forecast',
    'Heading4: Hydrologist · Stockholm\tApr 2019 – Dec 2021',
    'Heading3: Research Assistant, River Institute · Delft, Netherlands\tSep 2014 – Mar 2019',
    'ListParagraph: Measured sediment in nine rivers',
    'Heading2: Talks',
    'Heading3: [When the river comes](https://talks.example/river), Nordic Water Days · Oslo\tSep 2023',
    'Keynote.',
    'ListParagraph: Two hundred listeners',
    'Heading2: Education',
    'Heading3: [Uppsala University](https://uu.example), MSc, Hydrology · Uppsala\t2009 – Jun 2014',
    'passed with distinction · Fluid mechanics · Statistics',
    'Heading3: Delft Summer School\t2024 – present',
    'Heading2: Projects',
    'Heading3: Floodmap, Maintainer\tMay 2020 – present',
    'Maps of which streets flood first.',
    'ListParagraph: Used by six towns',
    'ListParagraph: Runs on a laptop',
    'Python, GDAL · [github.com/example/floodmap](https://github.com/example/floodmap) · [floodmap.example](https://floodmap.example)',
    'Heading2: Skills',
    'Modelling (Expert): HEC-RAS, Python',
    'Field work: Gauging, Surveying',
    'Heading2: Certifications',
    'Heading3: [Diver, class B](https://divers.example/nora), Swedish Transport Agency\tMay 2016',
    'Work under water to 50 metres.',
    'Heading2: Languages',
    'Swedish (native), Dutch',
    'Heading2: Publications',
    'Heading3: [Sediment after the dam](https://doi.example/10.1/sediment)\t2018',
    'J. de Vries, Nora Lindqvist, P. Holm · Journal of Rivers',
    'Why the river below the dam digs deeper.',
    'Heading2: Awards',
    'Heading3: [Young Hydrologist of the Year](https://nwa.example/2017), Nordic Water Association\tNov 2017',
    'For the measurements below the dam.',
    'Heading2: Volunteering',
    'Heading3: Coordinator, [Flood Watch](https://floodwatch.example) · Uppsala\tMar 2021 – present',
    'Thirty people who read gauges at night.',
    'ListParagraph: Trained the volunteers',
    'Heading2: Patents',
    'Float for a gauge: SE 999 999',
    'ListParagraph: A second one is pending',
    'Both with the River Institute.',
    'Heading2: Interests',
    'Canoeing (white water, building boats), Choir',
    'Heading2: References',
    'Heading3: Prof. Anna Bos',
    'Nora notices what others measure past.',
  ]);
});

test('dates end at the right margin of the paper, by a tab stop of the headings', async () => {
  for (const [paper, width, stop] of [
    ['a4', 11_906, 9_526],
    ['us-letter', 12_240, 9_860],
  ] as const) {
    const { parts } = await read(whole, { paper });
    const [, size, margins] = /<w:pgSz ([^>]*)\/><w:pgMar ([^>]*)\/>/.exec(parts['word/document.xml']!)!;
    assert.match(size!, new RegExp(`w:w="${width}"`));
    assert.match(margins!, /w:right="1190".* w:left="1190"/);
    for (const level of [3, 4])
      assert.match(
        parts['word/styles.xml']!,
        new RegExp(`w:styleId="Heading${level}">(?:(?!</w:style>).)*<w:tab w:val="right" w:pos="${stop}"/>`),
      );
  }
});

test('a place that does not fit on the line of its entry begins the next, with undivided dates', async () => {
  const [job] = sample.experience;
  const company = 'Max Planck Institute for Evolutionary Anthropology';
  const role = { ...job!.roles[0]!, start_date: '2013-10', end_date: '2018-08' };
  const headingOf = async (title: string) => {
    const period = { company_start_date: role.start_date, company_end_date: role.end_date, current: false };
    const experience = [{ ...job!, ...period, company, location: 'Leipzig', roles: [{ ...role, title }] }];
    const { paragraphs } = await read({ ...sample, experience });
    return paragraphs.find((text) => text.includes('Leipzig'))?.replace('Heading3: ', '');
  };
  assert.equal(await headingOf('Intern'), `Intern, ${company} · Leipzig\tOct 2013 – Aug 2018`);
  assert.equal(await headingOf('Doctoral Researcher'), `Doctoral Researcher, ${company}\nLeipzig\tOct 2013 – Aug 2018`);
});

test('a long name is set smaller in Word, too', async () => {
  const sizeOf = async (name: string) => {
    const { parts } = await read({ ...sample, candidate: { ...sample.candidate, name } });
    const [title] = parts['word/document.xml']!.split('</w:p>');
    return /<w:sz w:val="(\d+)"\/>/.exec(title!)?.[1];
  };
  assert.equal(await sizeOf('Ada Lovelace'), undefined);
  assert.equal(await sizeOf('Katharina von Hohenberg-Lindström'), '50');
});

test('items of lists are numbered paragraphs, and pages after the first end with name and number', async () => {
  const { parts } = await read(whole);
  const document = parts['word/document.xml']!;
  const [, id] = /<w:pStyle w:val="ListParagraph"\/>.*?<w:numPr><w:ilvl w:val="0"\/><w:numId w:val="(\d+)"\/>/.exec(
    document,
  )!;
  const [, list] = new RegExp(`<w:num w:numId="${id}"[^>]*><w:abstractNumId w:val="(\\d+)"/>`).exec(
    parts['word/numbering.xml']!,
  )!;
  assert.match(
    parts['word/numbering.xml']!,
    new RegExp(`w:abstractNumId="${list}"(?:(?!</w:abstractNum>).)*<w:numFmt w:val="bullet"/><w:lvlText w:val="•"/>`),
  );
  assert.match(document, /<w:titlePg\/>/);
  const footer = parts['word/footer1.xml']!.replace(/<w:instrText[^>]*>(\w+)<\/w:instrText>/g, '{$1}');
  assert.equal(footer.replace(/<[^>]*>/g, ''), 'Nora Lindqvist · page {PAGE} of {NUMPAGES}');
});

test('what the owner hides from Word is not in it, and what the PDF hides is', async () => {
  const hides = { word: ['email' as const, 'certifications' as const], pdf: ['education' as const] };
  const { paragraphs } = await read({ ...whole, resume: { ...whole.resume, hides } });
  const texts = paragraphs.join('\n');
  assert.doesNotMatch(texts, /Certifications|nora@/);
  assert.match(texts, /Education/);
});

test('the document says its title, author and language, and its bytes are the same for the same profile', async () => {
  const [one, other] = [
    await toDocx(whole, { paper: 'a4', photo: null }),
    await toDocx(whole, { paper: 'a4', photo: null }),
  ];
  assert.ok(Buffer.from(one).equals(other));
  const { parts } = readDocx(one);
  const core = parts['docProps/core.xml']!;
  assert.match(core, /<dc:title>Nora Lindqvist – Resume<\/dc:title><dc:creator>Nora Lindqvist<\/dc:creator>/);
  assert.doesNotMatch(Object.values(parts).join(), /dcterms:(created|modified)>|20\d\d-\d\d-\d\dT/);
  assert.match(parts['word/styles.xml']!, /<w:lang w:val="en-US"\/>/);
  const german = await read(inLanguage('de'));
  assert.match(german.parts['word/styles.xml']!, /<w:lang w:val="de-DE"\/>/);
  assert.match(german.parts['docProps/core.xml']!, / – Lebenslauf<\/dc:title>/);
});

test('a resume in Arabic is set from right to left, and Latin names in it from left to right', async () => {
  const { parts, paragraphs } = await read(inLanguage('ar'));
  const document = parts['word/document.xml']!;
  assert.equal(document.match(/<w:bidi\/>/g)?.length, paragraphs.length);
  assert.match(
    parts['word/styles.xml']!,
    /<w:rFonts [^>]*w:cs="Times New Roman".*?<w:lang w:val="ar-EG" w:bidi="ar-EG"\/>/,
  );
  const summary = document.split('<w:p>').find((paragraph) => paragraph.includes('Python'))!;
  const runs = [...summary.matchAll(/<w:r>(<w:rPr><w:rtl\/><\/w:rPr>)?<w:t [^>]*>([^<]*)/g)];
  assert.deepEqual(
    runs.slice(1).map(([, right, text]) => [right === undefined ? 'left' : 'right', text]),
    [
      ['right', ' '],
      ['left', 'C++'],
      ['right', ' '],
      ['right', 'و'],
      ['left', 'Python'],
      ['right', '.'],
    ],
  );
});

test('a resume in Chinese has a Chinese face, and no italics in it, and its sentences stay bullets', async () => {
  const { parts, paragraphs } = await read(inLanguage('zh'));
  assert.ok(paragraphs.includes('ListParagraph: 建立每季度一次的故障演练，平均恢复时间从四十分钟降到七分钟'));
  assert.match(
    parts['word/styles.xml']!,
    /<w:rFonts [^>]*w:eastAsia="SimSun".*?<w:lang w:val="zh-CN" w:eastAsia="zh-CN"\/>/,
  );
  assert.doesNotMatch(parts['word/document.xml']!, /<w:i\/>/);
});

test('a photo has the name as its alternative text, and is upright without EXIF', async () => {
  const photo = withoutMetadata(withSegments(jpegOf('photo'), segmentOf(0xe1, exifOf(6))));
  const { parts } = await read(sample, { photo });
  const document = parts['word/document.xml']!;
  assert.match(document, /<wp:docPr id="1" name="photo" descr="Dr. Lena Vasquez"/);
  assert.match(document, /<a:xfrm[^>]* rot="5400000"/);
  const [path] = Object.keys(parts).filter((path) => path.startsWith('word/media/'));
  assert.match(path!, /\.jpg$/);
  assert.doesNotMatch(parts[path!]!, /Exif/);
});

test('texts cannot break out of the document, nor break it', async () => {
  const evil = 'A<b>&amp;"\u0000\ud800\ufffe\tB\nC';
  const { parts, paragraphs } = await read({ ...small, candidate: { ...small.candidate, name: evil, summary: evil } });
  assert.deepEqual(
    [paragraphs[0], paragraphs.find((text) => text.startsWith('A'))],
    ['Heading1: A<b>&amp;"  B\nC', 'A<b>&amp;"  B\nC'],
  );
  for (const [path, text] of Object.entries(parts))
    if (/\.(xml|rels)$/.test(path)) {
      assert.equal(parseDocument(text, { xmlMode: true }).children.length, 2, path);
      assert.doesNotMatch(text, /(?![\t\r\n])\p{Cc}|[\ufffe\uffff]/u, path);
    }
});

test('marks of a text are bold, italic, a face for code and links in Word, and lists have a second level', async () => {
  const { parts, paragraphs } = await read(readProfile(fixture('marks.yaml')).profile!);
  const start = paragraphs.indexOf(
    'Models how rivers flood, and tells towns in time; wrote [floodgauge](https://github.com/mira-okafor/floodgauge).\nLooks for:',
  );
  assert.deepEqual(paragraphs.slice(start + 1, start + 6), [
    'ListParagraph: work on warnings, not on dams',
    'ListParagraph: a team that',
    'ListParagraph: measures',
    'ListParagraph: and publishes what it measures',
    'In Uppsala or from afar.',
  ]);
  const document = parts['word/document.xml']!;
  const markOf = (text: string) =>
    new RegExp(`<w:r><w:rPr>([^/]*/>(?:(?!<w:r>).)*)</w:rPr><w:t [^>]*>${text}</w:t>`).exec(document)?.[1];
  assert.equal(markOf('rivers flood'), '<w:b/><w:bCs/>');
  assert.equal(markOf('in time'), '<w:i/><w:iCs/>');
  assert.match(markOf('gauge --every 5m')!, /w:ascii="Consolas"/);
  assert.match(markOf('floodgauge')!, /<w:rStyle w:val="Hyperlink"\/>/);
  const levelOf = (text: string) =>
    document
      .split('<w:p>')
      .find((it) => it.includes(text))!
      .match(/<w:ilvl w:val="(\d)"\/>/)?.[1];
  assert.deepEqual(['a team that', '>measures', 'work on '].map(levelOf), ['0', '1', '0']);
});
