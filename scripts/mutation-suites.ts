import { globSync } from 'node:fs';

/** Files whose mutants run against the same tests, which run in this process. */
export interface Suite {
  /** Paths from the root, like those of the tests. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

const outside = ['formats/import/**/*'];

/** A file belongs to the first pattern that it matches; a mutant runs against the tests in their order. */
const table: readonly (readonly [files: string, ...tests: string[]])[] = [
  ['operations/{candidate,experience,projects,resume}', 'pins', 'unit/operations/invoke', 'contract/{parity,rest}'],
  ['operations/notices', 'unit/operations/notices'],
  [
    'operations/*',
    'pins',
    'unit/operations/{answers,invoke,key-lock}',
    'contract/{parity,rest}',
    'trust/store/idempotency',
  ],
  ['surfaces/mcp/*', 'pins', 'contract/mcp-*', 'unit/mcp/*'],
  ['surfaces/**/*', 'pins', 'unit/rest/*', 'contract/{headers,rest,resume-file}', 'contract/*'],
  ['formats/export/*', 'formats/export/*'],
  ['formats/profile/profile-writer', 'formats/profile/profile-writer', 'e2e/init'],
  ['formats/profile/*', 'formats/profile/*', 'unit/profile/*', 'trust/profile/profile-limits'],
  ['adapters/tokens/{keys,key-file,private-jwks}', 'unit/tokens/keys'],
  ['adapters/tokens/visitor-hash', 'unit/tokens/visitor-hash'],
  ['adapters/tokens/*', 'unit/tokens/{tokens,revocations}', 'unit/store/store'],
  ['adapters/profile/*', 'unit/profile/*', 'trust/profile/profile-limits'],
  ['adapters/pdf/{font-families,latest-pdf,signed-links}', 'unit/pdf/*'],
  ['adapters/pdf/*', 'pdf/*'],
  ['adapters/mail/{mailer,mail-failure,smtp,eml-files}', 'unit/mail/{eml-files,smtp}'],
  ['adapters/mail/mail-size', 'trust/mail/mail-size'],
  [
    'adapters/{mail/outbox,store/{mail-budget,outbox-queue,unsent-notices}}',
    'unit/store/store',
    'unit/mail/outbox',
    'trust/mail/{outbox-state,digest,refused-mail}',
  ],
  ['adapters/http/*', 'e2e/http/*', 'unit/http/*'],
  ['adapters/limits', 'unit/adapters/limits'],
  ['adapters/store/quota-windows', 'unit/adapters/limits'],
  [
    'adapters/store/**/*',
    'unit/store/{store,lock-wait}',
    'unit/adapters/limits',
    'unit/service/retention',
    'trust/store/{visitor-data,kept,idempotency}',
  ],
  ['adapters/*', 'unit/adapters/*', 'trust/audit'],
];

const taken = new Set(outside.flatMap((pattern) => globSync(`src/${pattern}.ts`)));

/** Every file of operations, surfaces, adapters and formats without the imports, once. */
export const suites: readonly Suite[] = table.map(([pattern, ...tests]) => {
  const files = globSync(`src/${pattern}.ts`).filter((file) => !taken.has(file));
  for (const file of files) taken.add(file);
  return { files: files.sort(), tests: [...new Set(tests.flatMap((name) => globSync(`test/${name}.test.ts`).sort()))] };
});
