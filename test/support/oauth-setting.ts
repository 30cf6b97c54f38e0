let setting: 'on' | 'off' = 'on';

/** Turns OAuth off in the services that tests of this process open without a setting of their own. */
export function turnOauthOff(): void {
  setting = 'off';
}

/** The setting that such services have. */
export const oauthSetting = () => ({ OAUTH: setting });

/** The challenge of a 401 of such a service: with OAuth, the plain one and where its metadata are. */
export const challenge = (plain: string, metadata: string) =>
  setting === 'off' ? plain : `${plain}, resource_metadata="http://127.0.0.1:3000${metadata}", scope="profile:read"`;
