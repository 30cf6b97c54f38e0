/** Thrown if a package cannot be imported because its code for this platform is not installed. */
export class MissingNativeCode extends Error {
  readonly found: string;
  readonly remedy: string;

  constructor(name: string, cause: unknown) {
    const found = `${name} has no code for ${process.platform}-${process.arch}`;
    const remedy = 'install the packages again with npm ci, or npm install, and leave out no optional dependencies';
    super(`${found}; ${remedy}`, { cause });
    this.found = found;
    this.remedy = remedy;
  }
}

/** Imports a package with compiled code in an optional dependency for each platform. Rejects with `MissingNativeCode`. */
export async function importNative<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new MissingNativeCode(name, cause);
  }
}
