import { operations } from '../../src/operations/index.ts';
import { isTool } from '../../src/surfaces/mcp/catalogue.ts';
import { version } from '../../src/version.ts';

/** The file of the bundle that the host runs. */
export const entryPoint = 'bridge.mjs';

/** Returns the placeholder that the host replaces with the value that a person has entered. */
const entered = (setting: 'url' | 'token'): string => `\${user_config.${setting}}`;

/** The tools of every profile, the two that need MCP_MUTATIONS=true included. */
const tools = operations.filter((operation) => isTool({ mutations: true }, operation) && !('isOffered' in operation));

/** The manifest of the bundle, in version 0.4 of its format: https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
export const manifest = {
  manifest_version: '0.4',
  name: 'candidate-profile',
  display_name: 'Candidate Profile',
  version,
  description: "Read a person's professional profile from the service that they run: jobs, projects, skills, resume.",
  long_description:
    'Connects to one profile, at an address that its owner has given you. Open that address in a browser: your e-mail address gets you a token. Enter both in the settings. The owner sees which e-mail address read what.',
  author: { name: 'The candidate-profile authors' },
  license: 'MIT',
  server: {
    type: 'node',
    entry_point: entryPoint,
    mcp_config: {
      command: 'node',
      args: [`\${__dirname}/${entryPoint}`],
      env: {
        CANDIDATE_PROFILE_URL: entered('url'),
        CANDIDATE_PROFILE_TOKEN: entered('token'),
      },
    },
  },
  tools: tools.map(({ name, description }) => ({ name, description })),
  // A profile may offer one more.
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.0.0' } },
  user_config: {
    url: {
      type: 'string',
      title: 'Address',
      description: 'The address of the profile, such as https://profile.example.org',
      required: true,
      sensitive: false,
    },
    token: {
      type: 'string',
      title: 'Token',
      description: 'The token that the page of the profile gives you',
      sensitive: true,
      required: true,
    },
  },
};
