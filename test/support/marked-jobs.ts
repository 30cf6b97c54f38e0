import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from 'resume-profile/profile-document';
import { parse } from 'yaml';
import { readProfile } from '../../src/adapters/profile/profile-file.ts';
import { searchedTextsOf } from '../../src/operations/evidence/evidence-index.ts';
import { findEvidence } from '../../src/operations/evidence.ts';
import { fixture } from './files.ts';

const profilePaths = {
  lena: '../../examples/profile.yaml',
  nora: '../../examples/every-section.yaml',
  david: '../../packages/resume-import/corpus/reactive-resume-5-sample.expected.yaml',
};

type Owner = keyof typeof profilePaths;
const owners = Object.keys(profilePaths) as Owner[];

const profiles = new Map<Owner, Profile>();

/** Returns a profile of the measurement, as `test/fixtures/evidence/MARKING.md` names it. */
export function profileOf(owner: Owner): Profile {
  const known = profiles.get(owner) ?? read(owner);
  profiles.set(owner, known);
  return known;
}

function read(owner: Owner): Profile {
  const { profile, faults } = readProfile(fixture(profilePaths[owner]));
  if (profile === null) throw new Error(faults.join('\n'));
  return { ...profile, background: true, evidence: true };
}

/** Returns a profile of 100 jobs and 300 skills, of what the others have. */
export function hugeProfile(): Profile {
  const all = owners.map(profileOf);
  const jobs = all.flatMap(({ experience }) => experience);
  const skills = all.flatMap(({ resume }) => resume.skills);
  const repeated = <Item>(items: readonly Item[], length: number) =>
    Array.from({ length }, (_, at) => items[at % items.length]!);
  return {
    ...all[0]!,
    experience: repeated(jobs, 100).map((job, at) => ({ ...job, id: `exp_${at}`, roles: repeated(job.roles, 3) })),
    resume: { ...all[0]!.resume, skills: repeated(skills, 300) },
  };
}

type Mark = { readonly requirement: string } & { readonly [owner in Owner]?: readonly string[] };

/** Pairs of a requirement and a text of a profile, as lines. */
export interface Measurement {
  readonly found: readonly string[];
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
  /** Requirements for which nothing was stated although something is marked. */
  readonly contradicted: readonly string[];
  /** How many pairs of a requirement and a profile were rightly answered as nothing stated. */
  readonly rightlyEmpty: number;
  readonly requirements: {
    readonly marked: number;
    readonly missed: readonly string[];
    readonly extra: readonly string[];
  };
  readonly recall: number;
  readonly precision: number;
}

/** Runs the operation on the job texts of a folder, for each profile, and compares with the marks. */
export async function measureEvidence(folder: 'jobs' | 'held-out'): Promise<Measurement> {
  const found: string[] = [];
  const missed: string[] = [];
  const wrong: string[] = [];
  const contradicted: string[] = [];
  const missedRequirements = new Set<string>();
  const extraRequirements = new Set<string>();
  let marked = 0;
  let rightlyEmpty = 0;
  const directory = fixture(`evidence/${folder}`);
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.txt'))) {
    const text = readFileSync(join(directory, file), 'utf8');
    const marks: readonly Mark[] = parse(readFileSync(join(directory, file.replace('.txt', '.yaml')), 'utf8'));
    marked += marks.length;
    for (const owner of owners) {
      const { requirements } = await answerIn(profileOf(owner), text);
      const answers = new Map(requirements.map((each) => [each.text, each.evidence]));
      const job = file.replace('.txt', '');
      for (const mark of marks) {
        const texts = textsOf(owner, mark[owner] ?? []);
        const given = (answers.get(mark.requirement) ?? []).map(pairOf);
        const line = (pair: string) => `${job} · ${owner} · ${mark.requirement} → ${pair}`;
        found.push(...texts.filter((pair) => given.includes(pair)).map(line));
        missed.push(...texts.filter((pair) => !given.includes(pair)).map(line));
        wrong.push(...given.filter((pair) => !texts.includes(pair)).map(line));
        if (given.length === 0 && texts.length > 0) contradicted.push(`${job} · ${owner} · ${mark.requirement}`);
        if (given.length === 0 && texts.length === 0) rightlyEmpty++;
        if (!answers.delete(mark.requirement)) missedRequirements.add(`${job} · ${mark.requirement}`);
      }
      for (const [extra, evidence] of answers) {
        extraRequirements.add(`${job} · ${extra}`);
        wrong.push(...evidence.map((each) => `${job} · ${owner} · ${extra} → ${pairOf(each)}`));
      }
    }
  }
  return {
    found,
    missed,
    wrong,
    contradicted,
    rightlyEmpty,
    requirements: { marked, missed: [...missedRequirements], extra: [...extraRequirements] },
    recall: found.length / (found.length + missed.length),
    precision: found.length / (found.length + wrong.length),
  };
}

/** Runs the operation, and checks what it returns against its schema. */
export async function answerIn(profile: Profile, text: string) {
  const edition = { profile, resumeUrl: null, today: '2027-01-01' };
  if (findEvidence.kind !== 'search') throw new Error('find_evidence is not a search');
  return findEvidence.output.parse(await findEvidence.handle({ text }, edition));
}

const pairOf = ({ id, place, words }: { id: string | null; place: string; words: string }) =>
  `${id ?? ''} ${place}: ${words.slice(0, 60)}`;

/** Returns the texts that the marks name: those that equal a mark, otherwise those that begin with it. */
function textsOf(owner: Owner, marks: readonly string[]): string[] {
  const texts = searchedTextsOf(profileOf(owner));
  const named = marks.flatMap((mark) => {
    const equal = texts.filter(({ words }) => words === mark);
    const matching = equal.length > 0 ? equal : texts.filter(({ words }) => words.startsWith(mark));
    if (matching.length === 0) throw new Error(`no text of ${owner} begins with: ${mark}`);
    return matching.map(pairOf);
  });
  return [...new Set(named)];
}
