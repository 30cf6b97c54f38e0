import { globSync } from 'node:fs';

/** Files whose mutants run against the same tests, which run in this process. */
export interface Suite {
  /** Paths from the root, like those of the tests. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

/** A file belongs to the first pattern that it matches; a mutant runs against the tests in their order. */
const table: readonly (readonly [files: string, ...tests: string[]])[] = [
  ['operations/{candidate,experience,projects,resume}', 'pins', 'unit/operations/invoke', 'contract/{parity,rest}'],
  ['operations/notices', 'unit/operations/notices'],
  ['operations/evidence/*', 'unit/operations/evidence'],
  ['operations/owner/*', 'contract/owner', 'unit/operations/sign-in', 'pages/desk*'],
  ['operations/*', 'pins', 'unit/operations/{answers,invoke}', 'contract/{parity,rest}', 'trust/store/idempotency'],
  ['surfaces/mcp/*', 'pins', 'contract/mcp-*', 'unit/mcp/*'],
  ['surfaces/**/*', 'pins', 'unit/rest/*', 'contract/{headers,rest,resume-file}', 'contract/*'],
  ['packages/resume-documents/src/**/*', 'packages/resume-documents/test/**/*'],
  [
    'packages/resume-profile/src/**/*',
    'packages/resume-profile/test/*',
    'test/unit/profile/*',
    'test/trust/profile/profile-limits',
  ],
  ['adapters/tokens/{keys,private-jwks}', 'unit/tokens/{keys,visitor-hash}'],
  ['adapters/tokens/signatures', 'unit/pdf/signed-links', 'unit/tokens/link-codes'],
  ['adapters/{tokens/*,store/tokens}', 'unit/tokens/{tokens,revocations}', 'unit/store/store'],
  ['adapters/profile/*', 'unit/profile/*', 'trust/profile/profile-limits'],
  ['adapters/document/*', 'full/trust/document-reader'],
  ['adapters/pdf/*', 'unit/pdf/*'],
  ['adapters/mail/mailer', 'unit/mail/mailer', 'trust/mail/smtp-faults'],
  ['adapters/{mail/sender,store/outbox}', 'unit/mail/outbox', 'trust/mail/{digest,refused-mail,sign-in-mail}'],
  ['adapters/http/*', 'e2e/http/{malformed-requests,server}', 'unit/http/*'],
  ['adapters/oauth/*', 'unit/adapters/oauth-storage', 'trust/oauth/*'],
  ['adapters/limits', 'unit/adapters/limits'],
  ['adapters/store/quotas', 'unit/adapters/limits'],
  [
    'adapters/store/**/*',
    'unit/store/{store,group-commit,lock-wait}',
    'unit/adapters/limits',
    'unit/service/retention',
    'trust/store/{visitor-data,kept,idempotency}',
  ],
  ['adapters/*', 'unit/adapters/*', 'trust/audit'],
];

const left = new Set(globSync('{src/{operations,surfaces,adapters},packages/resume-{profile,documents}/src}/**/*.ts'));

/** Every file of operations, surfaces, adapters, resume-profile and resume-documents, once. Throws if a file or a test is missing. */
export const suites: readonly Suite[] = table.map(([pattern, ...names]) => {
  const files = globSync(pattern.startsWith('packages/') ? `${pattern}.ts` : `src/${pattern}.ts`).filter((file) =>
    left.delete(file),
  );
  const tests = names.flatMap((name) =>
    existing(name.startsWith('packages/') || name.startsWith('test/') ? `${name}.test.ts` : `test/${name}.test.ts`),
  );
  return { files: files.sort(), tests: [...new Set(tests)] };
});
if (left.size > 0) throw new Error(`no tests are listed for ${[...left].join(' ')}`);

function existing(pattern: string): string[] {
  const files = globSync(pattern);
  if (files.length === 0) throw new Error(`no file matches ${pattern}`);
  return files.sort();
}
