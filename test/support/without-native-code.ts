import { registerHooks } from 'node:module';

// With `--import`, a program finds no package that holds compiled code for a platform, as if the installation had left them out.
registerHooks({
  resolve(specifier, context, next) {
    if (/^@(resvg|myriaddreamin)\/.*-(linux|darwin|win32|wasm32)/.test(specifier))
      throw Object.assign(new Error(`Cannot find module '${specifier}'`), { code: 'MODULE_NOT_FOUND' });
    return next(specifier, context);
  },
});
