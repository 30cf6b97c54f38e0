import { z } from 'zod';
import type { StatusFileState, StatusRefusal } from '../../model/profile/status-file.ts';
import { noun, ownerOperation } from './operation.ts';
import type { DeskServices, ProfileState } from './services.ts';

export const getProfileState = ownerOperation({
  kind: 'owner',
  name: 'get_profile_state',
  summary: 'The faults and warnings of the profile document, and what is served of it.',
  input: z.object({}),
  output: noun<ProfileState>(),
  handle: async (_input, { profileState }: DeskServices) => profileState(),
});

const file = noun<StatusFileState>();

export const getStatus = ownerOperation({
  kind: 'owner',
  name: 'get_status',
  summary: 'The status of availability in the profile document, and the one that visitors get.',
  input: z.object({}),
  output: z.object({ file, served: z.string() }),
  handle: async (_input, { statusFile, edition }: DeskServices) => ({
    file: statusFile.read(),
    served: edition().profile.availability.status,
  }),
});

export const setStatus = ownerOperation({
  kind: 'owner',
  name: 'set_status',
  summary:
    'Replaces the status of availability in the profile file, and nothing else, if the file still has the revision.',
  input: z.object({ status: z.string(), revision: z.string() }),
  output: z.object({ refusal: noun<StatusRefusal>().nullable() }),
  handle: async ({ status, revision }, { statusFile }: DeskServices) => ({
    refusal: await statusFile.save(status, revision),
  }),
});
