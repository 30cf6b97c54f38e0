import packageJson from '../package.json' with { type: 'json' };

/**
 * The entry of the MCP registry: https://registry.modelcontextprotocol.io. Each owner runs a service of their own, so a client has to
 * ask for its address, for the remote server as for the npm package, which is the bridge to one.
 */
export const serverJson = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  // The registry accepts a package only if its `mcpName` is the name of the server.
  name: packageJson.mcpName,
  title: 'Candidate Profile',
  description: "Read a person's professional profile from the service that they run: jobs, projects, resume.",
  version: packageJson.version,
  packages: [
    {
      registryType: 'npm',
      identifier: packageJson.name,
      version: packageJson.version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      packageArguments: [
        { type: 'positional', value: 'mcp' },
        {
          type: 'named',
          name: '--url',
          description: 'The address of the profile',
          placeholder: 'https://profile.example.org',
          isRequired: true,
        },
      ],
      environmentVariables: [
        {
          name: 'CANDIDATE_PROFILE_TOKEN',
          description: 'The token that the page of the profile gives you',
          isRequired: true,
          isSecret: true,
        },
      ],
    },
  ],
  remotes: [
    {
      type: 'streamable-http',
      // The registry refuses a URL whose scheme is in a variable.
      url: 'https://{host}/mcp',
      variables: {
        host: {
          description: 'The host name of the profile, such as profile.example.org',
          placeholder: 'profile.example.org',
          isRequired: true,
        },
      },
      headers: [
        {
          name: 'Authorization',
          description:
            'If the client cannot sign in by itself: Bearer TOKEN, with the token that the page of the profile gives you',
          isSecret: true,
        },
      ],
    },
  ],
};
