import { baseUrlOf, type Config } from '../config.ts';
import { operations } from '../operations/index.ts';
import { toOpenApi } from '../surfaces/openapi.ts';

/** Prints the OpenAPI description of the service as it would be served. */
export function openapi(config: Config): void {
  console.log(JSON.stringify(toOpenApi(operations, baseUrlOf(config, config.port)), null, 2));
}
