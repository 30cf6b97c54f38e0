import type { Role } from './profile.ts';

/**
 * The keys of the names that head an entry of each section, in their order: `Uppsala University, MSc, Hydrology`. The templates of
 * the PDF have the same order.
 */
const keys = {
  education: ['institution', 'degree', 'area'],
  certifications: ['name', 'issuer'],
  publications: ['name', 'publisher'],
  awards: ['title', 'awarder'],
  volunteer: ['role', 'organization'],
  sections: ['name', 'organization', 'details'],
} as const;

type Names<Section extends keyof typeof keys> = {
  readonly [Key in (typeof keys)[Section][number]]?: string | undefined;
};

/** Returns the names that head an entry of a section, undefined for those that it lacks. */
export const entryNamesOf = <Section extends keyof typeof keys>(
  section: Section,
  entry: Names<Section>,
): (string | undefined)[] => keys[section].map((key) => entry[key as keyof Names<Section>]);

interface Job<R> {
  readonly company_start_date: string;
  readonly company_end_date?: string | null | undefined;
  readonly roles: readonly R[];
}

/** Returns the role of a job that has one role for all its time, in months, so that one head says both; otherwise undefined. */
export function soleRoleOf<R extends Pick<Role, 'start_date' | 'end_date'>>(job: Job<R>): R | undefined {
  const [role, ...others] = job.roles;
  if (role === undefined || others.length > 0) return undefined;
  const isSame = (one?: string | null, other?: string | null) => one?.slice(0, 7) === other?.slice(0, 7);
  const isWhole = isSame(role.start_date, job.company_start_date) && isSame(role.end_date, job.company_end_date);
  return isWhole ? role : undefined;
}
