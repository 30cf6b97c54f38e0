import { statSync } from 'node:fs';
import { enableCompileCache, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

// Without a cache, Node strips the types of every file and compiles all libraries at each start. It is kept beside the libraries,
// because those who can write there can change what runs anyway. In Node's default folder, below /tmp, every user could.
const folder = dirname(findPackageJSON('..', import.meta.url)!);
const uid = process.getuid?.();
// Files of another user, such as root, could not be removed by the owner of the folder.
if (uid === undefined || uid === statSync(folder).uid)
  enableCompileCache(join(folder, 'node_modules/.cache/candidate-profile'));

// A static import would be compiled before the cache is enabled, and `bin` cannot require a module with a top-level await.
void import('./commands/command-line.ts').then(async ({ runCommandLine }) => {
  const code = await runCommandLine(process.argv.slice(2), process);
  // A port that was opened before a fault would keep the process alive.
  if (code !== null) process.exit(code);
});
