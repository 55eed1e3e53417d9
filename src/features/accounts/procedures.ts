import { bind } from '#/platform/http/procedures.ts';
import type { Upload } from '#/platform/http/uploads.ts';
import { updatePreferences } from './commands.ts';
import { accountsContract } from './contract.ts';
import { changePhoto, ownProfile, removePhoto, updateProfile } from './profile/commands.ts';
import { viewerOf } from './queries.ts';
import { maxPhotoMegabytes } from './rules.ts';
import { ownDevices, signOutDevice, signOutOtherDevices } from './session/commands.ts';
import { ownSession } from './session/queries.ts';

const procedures = bind(accountsContract);

export const accountsProcedures = {
  me: procedures.me.handler(({ context }) => viewerOf(context)),
  updatePreferences: procedures.updatePreferences.handler(({ context, input }) =>
    updatePreferences(context, input),
  ),
  profile: procedures.profile.handler(({ context }) => ownProfile(context)),
  updateProfile: procedures.updateProfile.handler(({ context, input }) => updateProfile(context, input)),
  removePhoto: procedures.removePhoto.handler(({ context }) => removePhoto(context)),
  session: procedures.session.handler(({ context }) => ownSession(context)),
  devices: procedures.devices.handler(({ context }) => ownDevices(context)),
  signOutDevice: procedures.signOutDevice.handler(({ context, input }) => signOutDevice(context, input)),
  signOutOtherDevices: procedures.signOutOtherDevices.handler(({ context }) => signOutOtherDevices(context)),
};

export const accountsUploads: readonly Upload[] = [
  { path: '/me/photo', maxBytes: maxPhotoMegabytes * 1024 * 1024, receive: changePhoto },
];
