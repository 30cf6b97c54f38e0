import { turnOauthOff } from './oauth-setting.ts';

// Imported before files of tests, it turns OAuth off in the services that they open in their process.
turnOauthOff();
