import { globSync } from 'node:fs';

/** Files whose mutants are tried against the same tests, those that run in this process and are meant to hold them. */
export interface Suite {
  /** Paths from the root, as are the tests. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

const outside = ['adapters/import/*'];

/** A file belongs to the first pattern that it matches; a mutant is tried against the tests in their order. */
const table: readonly (readonly [files: string, ...tests: string[]])[] = [
  ['operations/{candidate,experience,projects,resume}', 'pins', 'unit/invoke', 'contract/{parity,rest}'],
  ['operations/notices', 'unit/notices'],
  [
    'operations/*',
    'pins',
    'unit/{answers,contact-request,invoke,key-lock}',
    'contract/{parity,rest}',
    'trust/idempotency',
  ],
  ['surfaces/export/*', 'import/export'],
  ['surfaces/{mcp*,subscriptions}', 'pins', 'contract/mcp-*', 'unit/{mcp*,subscriptions}'],
  [
    'surfaces/*',
    'pins',
    'unit/{documents,file-response,json-body,json-schema,resume-links}',
    'contract/{headers,rest,resume-file}',
    'contract/*',
  ],
  ['adapters/{keys,key-file,private-jwks}', 'unit/keys'],
  ['adapters/{visitor-hash,node-crypto}', 'unit/{visitor-hash,node-crypto}'],
  ['adapters/{tokens,revocations}', 'unit/{tokens,store}'],
  ['adapters/profile-yaml', 'unit/profile-yaml', 'import/init'],
  ['adapters/{profile-*,yaml-*}', 'unit/profile-*', 'trust/profile-limits'],
  ['adapters/font-families', 'unit/font-families'],
  ['adapters/latest-pdf', 'unit/latest-pdf'],
  ['adapters/{resume-pdf,typst}', 'pdf/*'],
  ['adapters/mail', 'unit/mail'],
  ['adapters/mail-size', 'trust/mail-size'],
  [
    'adapters/{mail-*,outbox,dead-letters,unsent-notices}',
    'unit/{store,outbox}',
    'trust/{outbox-state,digest,refused-mail}',
  ],
  ['adapters/{audit,metrics,retention,output-file}', 'unit/{audit,metrics,retention,output-file}', 'trust/audit'],
  ['adapters/{http-*,sockets}', 'e2e/http-{refusals,server}', 'unit/sockets'],
  ['adapters/{limits,quota-windows}', 'unit/limits'],
  ['adapters/*', 'unit/{store,lock-wait,limits,retention}', 'trust/{contact-book,kept,idempotency}'],
];

const taken = new Set(outside.flatMap((pattern) => globSync(`src/${pattern}.ts`)));

/** Every file of operations, surfaces and adapters without the imports, once. */
export const suites: readonly Suite[] = table.map(([pattern, ...tests]) => {
  const files = globSync(`src/${pattern}.ts`).filter((file) => !taken.has(file));
  for (const file of files) taken.add(file);
  return { files: files.sort(), tests: [...new Set(tests.flatMap((name) => globSync(`test/${name}.test.ts`).sort()))] };
});
