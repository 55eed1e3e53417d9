import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import type { Config } from '#/platform/config.ts';
import { openSms } from '#/platform/sms/sms.ts';
import {
  confirmAddressChange,
  deleteExpiredChanges,
  readAddressChange,
  undoAddressChange,
} from './address-change/commands.ts';
import { addressChangeContract } from './address-change/contract.ts';
import { portalState } from './administration/commands.ts';
import {
  administrationContract,
  accountsContract,
  deletionContract,
  reauthenticationContract,
} from './contract.ts';
import { ownWords, renewRecoveryKey, startOver, unlockWords } from './author-keys/commands.ts';
import { wordsContract } from './author-keys/contract.ts';
import { createApiToken, ownApiTokens, revokeApiToken } from './api-tokens/commands.ts';
import { apiTokensContract } from './api-tokens/contract.ts';
import { askForDueDeletions, cancelDeletion, requestDeletion } from './deletion/commands.ts';
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
import {
  cancelEmailChange,
  confirmEmailChange,
  ownEmailChange,
  readEmailChange,
  requestEmailChange,
  resendEmailChange,
} from './email-change/commands.ts';
import { emailChangeContract } from './email-change/contract.ts';
import { exportsContract } from './export/contract.ts';
import { deleteOldDevices, distrustDevice, ownTrustedDevices } from './known-devices/commands.ts';
import {
  beginIdentity,
  beginWallet,
  connectIdentity,
  connectWallet,
  ownIdentities,
  removeIdentity,
} from './linked-identities/commands.ts';
import { identitiesContract } from './linked-identities/contract.ts';
import { searchNames } from './names/commands.ts';
import { namesContract } from './names/contract.ts';
import { namesOf } from './names/queries.ts';
import { deleteExpiredRequests, type Offered } from './openid/commands.ts';
import {
  addPasskey,
  askOwnPasskey,
  beginPasskey,
  ownPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys/commands.ts';
import { passkeysContract } from './passkeys/contract.ts';
import { deleteExpired } from './commands.ts';
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
import { createSiteToken, revokeSiteToken, siteTokens } from './site-tokens/commands.ts';
import { siteTokensContract } from './site-tokens/contract.ts';
import { signInProviders } from './provider-sign-in/commands.ts';
import { sealed, viewerOf } from './queries.ts';
import { reauthenticate } from './reauthentication/commands.ts';
import { maxPhotoMegabytes } from './rules.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  ownSecondFactor,
  removeSecondFactor,
  renewBackupCodes,
  resetSecondFactor,
  setUpPasskeys,
} from './second-factor/commands.ts';
import { secondFactorContract } from './second-factor/contract.ts';
import { coverageOf, sealedSecret } from './second-factor/queries.ts';
import { deleteEndedSessions, ownDevices, signOutDevice, signOutOtherDevices } from './session/commands.ts';
import { ownSession } from './session/queries.ts';
import {
  addSignInPhone,
  beginSignInPhone,
  ownSignInPhone,
  removeSignInPhone,
} from './sign-in-phone/commands.ts';
import { trustedDevicesContract } from './known-devices/contract.ts';
import { signInPhoneContract } from './sign-in-phone/contract.ts';
import { textCodes, type TextServer } from './texted-codes/commands.ts';
import { countAttempts } from './tries/commands.ts';

const names = handle(namesContract, {
  of: (ctx, input) => namesOf(ctx, input.ids),
  find: searchNames,
});

const directory = (effects: AccountEffects) =>
  handle(directoryContract, {
    figures: userFigures,
    list: listUsers,
    open: (ctx, input) => openUser(ctx, effects, input.userId),
    edit: (ctx, input) => editUser(ctx, effects, input),
    changeRole: (ctx, input) => changeRole(ctx, effects, input),
    suspend: (ctx, input) => suspendUser(ctx, effects, input),
    reactivate: (ctx, input) => reactivateUser(ctx, effects, input.userId),
    remove: (ctx, input) => removeUser(ctx, effects, input),
    revokeApiToken: revokeUserToken,
    export: exportUsers,
  });

const addressChange = handle(addressChangeContract, {
  get: (ctx, input) => readAddressChange(ctx, input.token),
  undo: (ctx, input) => undoAddressChange(ctx, input.token),
  confirm: (ctx, input) => confirmAddressChange(ctx, input.token),
});

const emailChange = ({ authSecret: secret, rateLimitFactor }: AccountsConfig, effects: AccountEffects) => {
  const server = { tries: countAttempts({ secret, rateLimitFactor }), effects };
  return handle(emailChangeContract, {
    get: ownEmailChange,
    request: (ctx, input) => requestEmailChange(ctx, server, input),
    resend: (ctx) => resendEmailChange(ctx, server),
    cancel: cancelEmailChange,
    read: (ctx, input) => readEmailChange(ctx, server, input.token),
    confirm: (ctx, input) => confirmEmailChange(ctx, server, input.token),
  });
};

const secondFactor = (appUrl: string) =>
  handle(secondFactorContract, {
    coverage: coverageOf,
    get: ownSecondFactor,
    begin: beginSecondFactor,
    confirm: confirmSecondFactor,
    usePasskey: (ctx, input) => setUpPasskeys(ctx, appUrl, input),
    renewCodes: renewBackupCodes,
    remove: removeSecondFactor,
    reset: resetSecondFactor,
  });

const passkeys = (appUrl: string, offered: Offered) =>
  handle(passkeysContract, {
    list: ownPasskeys,
    begin: (ctx) => beginPasskey(ctx, appUrl),
    add: (ctx, input) => addPasskey(ctx, appUrl, input),
    rename: renamePasskey,
    remove: (ctx, input) => removePasskey(ctx, offered, input),
    ask: (ctx, input) => askOwnPasskey(ctx, appUrl, input),
  });

const identities = (offered: Offered, appUrl: string) =>
  handle(identitiesContract, {
    list: (ctx) => ownIdentities(ctx, offered),
    begin: (ctx, input) => beginIdentity(ctx, offered, input),
    connect: (ctx, input) => connectIdentity(ctx, offered, input),
    beginWallet: (ctx, input) => beginWallet(ctx, { offered, appUrl }, input),
    connectWallet: (ctx, input) => connectWallet(ctx, offered, input),
    remove: (ctx, input) => removeIdentity(ctx, offered, input),
  });

const apiTokens = handle(apiTokensContract, {
  list: ownApiTokens,
  create: createApiToken,
  revoke: revokeApiToken,
});

const tokensOfSite = handle(siteTokensContract, {
  list: siteTokens,
  create: createSiteToken,
  revoke: revokeSiteToken,
});

const signInPhone = ({ sms, authSecret: secret, rateLimitFactor, appUrl }: AccountsConfig) => {
  const server: TextServer = {
    sms: sms && openSms(sms),
    tries: countAttempts({ secret, rateLimitFactor }),
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
  handle(reauthenticationContract, {
    confirm: (ctx, input) => reauthenticate(ctx, appUrl, input),
  });

const exports = handle(exportsContract, {
  list: ownExports,
  get: (ctx, input) => ownExport(ctx, input.exportId),
  request: requestExport,
  open: (ctx, input) => openExport(ctx, input.exportId),
  remove: (ctx, input) => removeExport(ctx, input.exportId),
});

const words = (appUrl: string) =>
  handle(wordsContract, {
    get: ownWords,
    unlock: (ctx, input) => unlockWords(ctx, appUrl, input),
    renewRecoveryKey,
    startOver,
  });

const administration = (adminEmails: readonly string[]) =>
  handle(administrationContract, {
    portal: (ctx) => portalState(ctx, adminEmails),
  });

const deletion = (adminEmails: readonly string[]) =>
  handle(deletionContract, {
    request: (ctx, input) => requestDeletion(ctx, adminEmails, input),
    keep: cancelDeletion,
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
      accounts: handle(accountsContract, {
        me: viewerOf,
        updatePreferences,
        profile: ownProfile,
        updateProfile,
        removePhoto,
        session: ownSession,
        devices: ownDevices,
        signOutDevice,
        signOutOtherDevices,
      }),
      names,
      administration: administration(config.adminEmails),
      directory: directory(accountEffects(config)),
      addressChange,
      emailChange: emailChange(config, accountEffects(config)),
      secondFactor: secondFactor(config.appUrl),
      trustedDevices: handle(trustedDevicesContract, { list: ownTrustedDevices, forget: distrustDevice }),
      passkeys: passkeys(config.appUrl, signInProviders(config)),
      identities: identities(signInProviders(config), config.appUrl),
      apiTokens,
      siteTokens: tokensOfSite,
      signInPhone: signInPhone(config),
      reauthentication: reauthentication(config.appUrl),
      exports,
      words: words(config.appUrl),
      deletion: deletion(config.adminEmails),
    }),
    uploads: [{ path: '/me/photo', maxBytes: maxPhotoMegabytes * 1024 * 1024, receive: changePhoto }],
    downloads: [exportDownload],
    reactions: ({ sms, appUrl }) => (sms ? [textCodes(sms, appUrl)] : []),
    // Every minute: they hold providers’ personal answers.
    schedules: () => [{ name: 'ways-back', every: { minutes: 1 }, run: deleteExpiredRequests }],
    personal: [accountsPersonal],
    tidy: [
      deleteEndedSessions,
      deleteOldDevices,
      deleteExpired,
      rotateKeys,
      deleteExpiredChanges,
      tidyExports,
      askForDueDeletions,
    ],
    sealed: [sealedSecret, sealedPrivateKey, ...Object.values(sealed)],
  });
