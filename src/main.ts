import { statSync } from 'node:fs';
import { enableCompileCache, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

// Without a cache, Node strips the types of every file and compiles all libraries at each start. The cache is beside the
// libraries, because users who can write there can change the program anyway. In Node's default folder, below /tmp, every user
// could.
const folder = dirname(findPackageJSON('..', import.meta.url)!);
const uid = process.getuid?.();
// The folder's owner could not remove files of another user, such as root.
if (uid === undefined || uid === statSync(folder).uid)
  enableCompileCache(join(folder, 'node_modules/.cache/candidate-profile'));

// A static import would be compiled before the cache is enabled, and `bin` cannot require a module with a top-level await.
void import('./commands/command-line.ts').then(async ({ runCommandLine }) => {
  const code = await runCommandLine(process.argv.slice(2), process);
  // A port that was opened before a fault would keep the process alive.
  if (code !== null) process.exit(code);
});
