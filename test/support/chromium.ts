import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const bin = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));
const { version } = JSON.parse(readFileSync(join(bin, '../package.json'), 'utf8')) as { version: string };
const unpacked = fileURLToPath(new URL(`../../node_modules/.cache/chromium-${version}`, import.meta.url));

/** By relative paths: without fonts Chromium crashes, and a checkout may be moved. */
const fontsOfPackage =
  '<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>';

/**
 * Starts Chromium with an empty profile, from npm where its package has a build: it needs nothing of the system. `features` are
 * those that it has only on request; `more` are further arguments.
 */
export async function launchChromium(features: readonly string[] = [], more: readonly string[] = []): Promise<Browser> {
  const args = [
    ...['--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update'],
    ...features.map((feature) => `--enable-features=${feature}`),
    ...more,
  ];
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome', args });
  await unpack();
  writeFontsFile(unpacked);
  return chromium.launch({
    executablePath: join(unpacked, 'chromium'),
    chromiumSandbox: false,
    args,
    env: {
      ...process.env,
      HOME: unpacked,
      LD_LIBRARY_PATH: join(unpacked, 'al2023/lib'),
      FONTCONFIG_FILE: join(unpacked, 'fonts.conf'),
    },
  });
}

/** Unpacks the browser, its libraries and its fonts, unless that was done before. Of several at once, the first wins. */
async function unpack(): Promise<void> {
  if (existsSync(unpacked)) return;
  mkdirSync(dirname(unpacked), { recursive: true });
  const folder = mkdtempSync(`${unpacked}-`);
  // The package unpacks to the folder for temporary files, which it asks for at each call.
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  const parts = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => inflate(join(bin, name)));
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await Promise.all(parts);
  writeFontsFile(folder);
  try {
    renameSync(folder, unpacked);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(unpacked)) throw error;
  }
}

/** Writes the configuration of fontconfig, unless it is there; the one in the package names a folder of AWS Lambda. */
function writeFontsFile(folder: string): void {
  const path = join(folder, 'fonts.conf');
  if (existsSync(path) && readFileSync(path, 'utf8') === fontsOfPackage) return;
  writeFileSync(`${path}.${process.pid}`, fontsOfPackage);
  renameSync(`${path}.${process.pid}`, path);
}
