import { defineFeature } from '#/platform/feature.ts';
import { bind, handle } from '#/platform/http/bind.ts';
import type { Config } from '#/platform/config.ts';
import { openSms } from '#/platform/sms/sms.ts';
import {
  confirmAddressChange,
  forgetAddressChanges,
  readAddressChange,
  undoAddressChange,
} from './address-change/commands.ts';
import { addressChangeContract } from './address-change/contract.ts';
import { portalState } from './administration/commands.ts';
import { administrationContract } from './administration/contract.ts';
import { ownWords, renewRecoveryKey, startOver, unlockWords } from './author-keys/commands.ts';
import { wordsContract } from './author-keys/contract.ts';
import { createApiToken, forgetApiTokens, ownApiTokens, revokeApiToken } from './api-tokens/commands.ts';
import { apiTokensContract } from './api-tokens/contract.ts';
import { accountsContract } from './contract.ts';
import { askForDueDeletions, keepAccount, requestDeletion } from './deletion/commands.ts';
import { deletionContract } from './deletion/contract.ts';
import { forgetCodes } from './emailed-codes/commands.ts';
import {
  changeRole,
  reactivateUser,
  removeUser,
  revokeUserToken,
  suspendUser,
} from './account-status/commands.ts';
import { editUser, exportUsers, listUsers, openUser, type AccountEffects } from './users/commands.ts';
import { directoryContract } from './users/contract.ts';
import { userFigures } from './users/queries.ts';
import {
  exportDownload,
  openExport,
  ownExport,
  ownExports,
  removeExport,
  requestExport,
  tidyExports,
} from './export/commands.ts';
import { exportsContract } from './export/contract.ts';
import {
  beginIdentity,
  beginWallet,
  connectIdentity,
  connectWallet,
  ownIdentities,
  removeIdentity,
} from './linked-identities/commands.ts';
import { identitiesContract } from './linked-identities/contract.ts';
import { lookForNames } from './names/commands.ts';
import { namesContract } from './names/contract.ts';
import { namesOf } from './names/queries.ts';
import { forgetRequests, type Offered } from './openid/commands.ts';
import {
  addPasskey,
  askOwnPasskey,
  beginPasskey,
  ownPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys/commands.ts';
import { passkeysContract } from './passkeys/contract.ts';
import { accountsPersonal } from './personal.ts';
import { rotateKeys } from './program-keys/commands.ts';
import { sealedPrivateKey } from './program-keys/queries.ts';
import {
  changePhoto,
  ownProfile,
  removePhoto,
  updatePreferences,
  updateProfile,
} from './profile/commands.ts';
import { signInProviders } from './provider-sign-in/commands.ts';
import { sealed, viewerOf } from './queries.ts';
import { reauthenticate } from './reauthentication/commands.ts';
import { reauthenticationContract } from './reauthentication/contract.ts';
import { maxPhotoMegabytes } from './rules.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  ownSecondFactor,
  removeSecondFactor,
  renewBackupCodes,
  resetSecondFactor,
} from './second-factor/commands.ts';
import { secondFactorContract } from './second-factor/contract.ts';
import { coverageOf, sealedSecret } from './second-factor/queries.ts';
import { forgetEnded, ownDevices, signOutDevice, signOutOtherDevices } from './session/commands.ts';
import { ownSession } from './session/queries.ts';
import {
  addSignInPhone,
  beginSignInPhone,
  ownSignInPhone,
  removeSignInPhone,
} from './sign-in-phone/commands.ts';
import { signInPhoneContract } from './sign-in-phone/contract.ts';
import { forgetSignUps } from './sign-up/commands.ts';
import { textCodes, type TextServer } from './texted-codes/commands.ts';
import { countTries } from './tries/commands.ts';
import { forgetWaitingSignIns } from './waiting-sign-ins/commands.ts';
import { forgetChallenges } from './webauthn/commands.ts';

const os = bind({
  accounts: accountsContract,
  names: namesContract,
  administration: administrationContract,
  directory: directoryContract,
  addressChange: addressChangeContract,
  secondFactor: secondFactorContract,
  passkeys: passkeysContract,
  identities: identitiesContract,
  reauthentication: reauthenticationContract,
  exports: exportsContract,
  deletion: deletionContract,
  words: wordsContract,
});

const names = os.names.router({
  of: os.names.of.handler(({ context, input }) => namesOf(context, input.ids)),
  find: os.names.find.handler(({ context, input }) => lookForNames(context, input)),
});

const directory = (effects: AccountEffects) =>
  os.directory.router({
    figures: os.directory.figures.handler(({ context }) => userFigures(context)),
    list: os.directory.list.handler(({ context, input }) => listUsers(context, input)),
    open: os.directory.open.handler(({ context, input }) => openUser(context, effects, input.userId)),
    edit: os.directory.edit.handler(({ context, input }) => editUser(context, effects, input)),
    changeRole: os.directory.changeRole.handler(({ context, input }) => changeRole(context, effects, input)),
    suspend: os.directory.suspend.handler(({ context, input }) => suspendUser(context, effects, input)),
    reactivate: os.directory.reactivate.handler(({ context, input }) =>
      reactivateUser(context, effects, input.userId),
    ),
    remove: os.directory.remove.handler(({ context, input }) => removeUser(context, effects, input)),
    revokeApiToken: os.directory.revokeApiToken.handler(({ context, input }) =>
      revokeUserToken(context, input),
    ),
    export: os.directory.export.handler(({ context, input }) => exportUsers(context, input)),
  });

const addressChange = os.addressChange.router({
  get: os.addressChange.get.handler(({ context, input }) => readAddressChange(context, input.token)),
  undo: os.addressChange.undo.handler(({ context, input }) => undoAddressChange(context, input.token)),
  confirm: os.addressChange.confirm.handler(({ context, input }) =>
    confirmAddressChange(context, input.token),
  ),
});

const secondFactor = os.secondFactor.router({
  coverage: os.secondFactor.coverage.handler(({ context }) => coverageOf(context)),
  get: os.secondFactor.get.handler(({ context }) => ownSecondFactor(context)),
  begin: os.secondFactor.begin.handler(({ context, input }) => beginSecondFactor(context, input)),
  confirm: os.secondFactor.confirm.handler(({ context, input }) => confirmSecondFactor(context, input)),
  renewCodes: os.secondFactor.renewCodes.handler(({ context, input }) => renewBackupCodes(context, input)),
  remove: os.secondFactor.remove.handler(({ context, input }) => removeSecondFactor(context, input)),
  reset: os.secondFactor.reset.handler(({ context, input }) => resetSecondFactor(context, input)),
});

const passkeys = (appUrl: string, offered: Offered) =>
  os.passkeys.router({
    list: os.passkeys.list.handler(({ context }) => ownPasskeys(context)),
    begin: os.passkeys.begin.handler(({ context }) => beginPasskey(context, appUrl)),
    add: os.passkeys.add.handler(({ context, input }) => addPasskey(context, appUrl, input)),
    rename: os.passkeys.rename.handler(({ context, input }) => renamePasskey(context, input)),
    remove: os.passkeys.remove.handler(({ context, input }) => removePasskey(context, offered, input)),
    ask: os.passkeys.ask.handler(({ context }) => askOwnPasskey(context, appUrl)),
  });

const identities = (offered: Offered, appUrl: string) =>
  os.identities.router({
    list: os.identities.list.handler(({ context }) => ownIdentities(context, offered)),
    begin: os.identities.begin.handler(({ context, input }) => beginIdentity(context, offered, input)),
    connect: os.identities.connect.handler(({ context, input }) => connectIdentity(context, offered, input)),
    beginWallet: os.identities.beginWallet.handler(({ context, input }) =>
      beginWallet(context, { offered, appUrl }, input),
    ),
    connectWallet: os.identities.connectWallet.handler(({ context, input }) =>
      connectWallet(context, offered, input),
    ),
    remove: os.identities.remove.handler(({ context, input }) => removeIdentity(context, offered, input)),
  });

const apiTokens = handle(apiTokensContract, {
  list: ownApiTokens,
  create: createApiToken,
  revoke: revokeApiToken,
});

const signInPhone = ({ sms, authSecret: secret, rateLimitFactor, appUrl }: AccountsConfig) => {
  const server: TextServer = {
    sms: sms && openSms(sms),
    tries: countTries({ secret, rateLimitFactor }),
    secret,
    appUrl,
  };
  return handle(signInPhoneContract, {
    get: ownSignInPhone,
    begin: (ctx, input) => beginSignInPhone(ctx, server, input),
    add: (ctx, input) => addSignInPhone(ctx, server, input),
    remove: (ctx) => removeSignInPhone(ctx, server),
  });
};

const reauthentication = (appUrl: string) =>
  os.reauthentication.router({
    confirm: os.reauthentication.confirm.handler(({ context, input }) =>
      reauthenticate(context, appUrl, input),
    ),
  });

const exports = os.exports.router({
  list: os.exports.list.handler(({ context }) => ownExports(context)),
  get: os.exports.get.handler(({ context, input }) => ownExport(context, input.exportId)),
  request: os.exports.request.handler(({ context }) => requestExport(context)),
  open: os.exports.open.handler(({ context, input }) => openExport(context, input.exportId)),
  remove: os.exports.remove.handler(({ context, input }) => removeExport(context, input.exportId)),
});

const words = os.words.router({
  get: os.words.get.handler(({ context }) => ownWords(context)),
  unlock: os.words.unlock.handler(({ context, input }) => unlockWords(context, input)),
  renewRecoveryKey: os.words.renewRecoveryKey.handler(({ context }) => renewRecoveryKey(context)),
  startOver: os.words.startOver.handler(({ context }) => startOver(context)),
});

const administration = (adminEmails: readonly string[]) =>
  os.administration.router({
    portal: os.administration.portal.handler(({ context }) => portalState(context, adminEmails)),
  });

const deletion = (adminEmails: readonly string[]) =>
  os.deletion.router({
    request: os.deletion.request.handler(({ context, input }) =>
      requestDeletion(context, adminEmails, input),
    ),
    keep: os.deletion.keep.handler(({ context }) => keepAccount(context)),
  });

type AccountsConfig = Pick<
  Config,
  | 'adminEmails'
  | 'appUrl'
  | 'authSecret'
  | 'openIdProviders'
  | 'samlProviders'
  | 'walletSignIn'
  | 'sms'
  | 'rateLimitFactor'
>;

/** `accountEffects` calls later features for the directory. */
export const accounts = ({
  accountEffects,
}: {
  accountEffects: (config: AccountsConfig) => AccountEffects;
}) =>
  defineFeature({
    handlers: (config: AccountsConfig) => ({
      accounts: os.accounts.router({
        me: os.accounts.me.handler(({ context }) => viewerOf(context)),
        updatePreferences: os.accounts.updatePreferences.handler(({ context, input }) =>
          updatePreferences(context, input),
        ),
        profile: os.accounts.profile.handler(({ context }) => ownProfile(context)),
        updateProfile: os.accounts.updateProfile.handler(({ context, input }) =>
          updateProfile(context, input),
        ),
        removePhoto: os.accounts.removePhoto.handler(({ context }) => removePhoto(context)),
        session: os.accounts.session.handler(({ context }) => ownSession(context)),
        devices: os.accounts.devices.handler(({ context }) => ownDevices(context)),
        signOutDevice: os.accounts.signOutDevice.handler(({ context, input }) =>
          signOutDevice(context, input),
        ),
        signOutOtherDevices: os.accounts.signOutOtherDevices.handler(({ context }) =>
          signOutOtherDevices(context),
        ),
      }),
      names,
      administration: administration(config.adminEmails),
      directory: directory(accountEffects(config)),
      addressChange,
      secondFactor,
      passkeys: passkeys(config.appUrl, signInProviders(config)),
      identities: identities(signInProviders(config), config.appUrl),
      apiTokens,
      signInPhone: signInPhone(config),
      reauthentication: reauthentication(config.appUrl),
      exports,
      words,
      deletion: deletion(config.adminEmails),
    }),
    uploads: [{ path: '/me/photo', maxBytes: maxPhotoMegabytes * 1024 * 1024, receive: changePhoto }],
    downloads: [exportDownload],
    reactions: ({ sms, appUrl }) => (sms ? [textCodes(sms, appUrl)] : []),
    personal: [accountsPersonal],
    tidy: [
      forgetEnded,
      forgetCodes,
      forgetChallenges,
      forgetRequests,
      forgetWaitingSignIns,
      forgetApiTokens,
      rotateKeys,
      forgetSignUps,
      forgetAddressChanges,
      tidyExports,
      askForDueDeletions,
    ],
    sealed: [sealedSecret, sealedPrivateKey, ...Object.values(sealed)],
  });
