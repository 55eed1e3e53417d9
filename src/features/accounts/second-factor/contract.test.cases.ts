import { Secret, TOTP } from 'otpauth';
import { demoPassword } from '#/features/accounts/demo.ts';
import { flagsOn } from '#/features/settings/flags/contract.test.cases.ts';
import { newAuthenticator } from '../../../../tests/support/authenticator.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';
import type { CreationOptions, RequestOptions } from '../webauthn/contract.ts';

export function cases(stage: Stage): Cases {
  const { admin, call, newProvider } = stage;
  const { flag } = flagsOn(stage);

  async function withFactor() {
    const { id, version, enabled } = await flag('two_factor_authentication');
    if (!enabled) await call(admin, 'flags.turn', { flagId: id, version, enabled: true });
    // The flag covers providers only.
    const by = await newProvider();
    const { secret } = await call<{ secret: string }>(by, 'secondFactor.begin', { password: demoPassword });
    return { by, code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() };
  }

  async function confirmedFactor() {
    const { by, code } = await withFactor();
    const { backupCodes } = await call<{ backupCodes: string[] }>(by, 'secondFactor.confirm', { code });
    return Object.assign(by, { backupCode: backupCodes[0]! });
  }

  async function withPasskey() {
    await withFactor();
    const by = await newProvider();
    await call(by, 'reauthentication.confirm', { password: demoPassword });
    const device = newAuthenticator('http://italk.test:3000');
    const passkey = device.create(await call<CreationOptions>(by, 'passkeys.begin'));
    await call(by, 'passkeys.add', { passkey });
    return { by, passkey: device.get(await call<RequestOptions>(by, 'passkeys.ask')) };
  }

  return {
    'secondFactor.usePasskey': async () => {
      const { by, passkey } = await withPasskey();
      return { by, input: { passkey }, about: by.id };
    },
    'secondFactor.begin': async () => {
      await withFactor();
      const by = await newProvider();
      return { by, input: { password: demoPassword }, about: by.id };
    },
    'secondFactor.confirm': async () => {
      const { by, code } = await withFactor();
      return { by, input: { code }, about: by.id };
    },
    'secondFactor.renewCodes': async () => {
      const by = await confirmedFactor();
      return { by, input: { password: demoPassword, code: by.backupCode }, about: [by.id, by.id] };
    },
    'secondFactor.remove': async () => {
      const by = await confirmedFactor();
      return { by, input: { password: demoPassword, code: by.backupCode }, about: [by.id, by.id] };
    },
    'secondFactor.reset': async () => {
      const { id } = await confirmedFactor();
      return { by: admin, input: { id }, about: id };
    },
  };
}

export const updates: NamesBy = {
  'closed session': ['secondFactor.reset'],
  'directory.changed role:super_admin': ['secondFactor.reset'],
};

export const jobs: NamesBy = {
  'notifications.secured': [
    'secondFactor.confirm',
    'secondFactor.usePasskey',
    'secondFactor.renewCodes',
    'secondFactor.remove',
    'secondFactor.reset',
  ],
};
