import { operations } from '../operations/index.ts';
import { baseUrlOf, type Config } from '../service/config.ts';
import { toOpenApi } from '../surfaces/rest/openapi.ts';

/** Prints the OpenAPI description of the service as it would be served. */
export function openapi(config: Config): void {
  console.log(JSON.stringify(toOpenApi(operations, baseUrlOf(config, config.port)), null, 2));
}
