import { Profile } from '../src/model/profile/profile-document.ts';
import { toJsonSchema } from '../src/surfaces/json-schema.ts';

/** Returns the text of `profile.schema.json`: the profile document as JSON Schema 2020-12, for editors. */
export function toProfileSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Profile',
    description: 'The profile document of candidate-profile, in YAML or JSON',
    ...toJsonSchema(Profile, 'input'),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
