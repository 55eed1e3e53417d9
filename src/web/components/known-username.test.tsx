import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { refusal } from '../../../tests/components/answers.ts';
import { openPage } from '../../../tests/components/page.tsx';
import { recordedFor, type Who } from '../../../tests/components/recorded.ts';

const sources = import.meta.glob<string>(['/src/**/*.tsx', '!**/*.test.tsx', '!**/components/field.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const twoFactors = {
  'secondFactor.get': { active: true, offered: true, demanded: false, codesLeft: 10 },
};
const locked = { state: 'locked', passwordReplaced: false, byPasskey: false, recoveryKeyAt: null };
const button = (name: string | RegExp) => page.getByRole('button', { name });
const settings = '/profile?tab=settings';
const linkOf = (email: string) => ({ 'POST /api/auth/check-reset-link': { signedIn: false, email } });

interface PasswordForm {
  name: string;
  file: string;
  path: string;
  as?: Who;
  answers?: Readonly<Record<string, unknown>>;
  presses?: readonly (string | RegExp)[];
  /** The account's email, unless typed in the form. */
  known?: string;
  fields: readonly string[];
}

const accounts = (file: string) => `/src/features/accounts/ui/${file}.tsx`;
const client = 'client@italk.example';

const forms: readonly PasswordForm[] = [
  {
    name: 'sign-in',
    file: accounts('auth-fields'),
    path: '/?auth=1',
    fields: ['username webauthn', 'current-password'],
  },
  {
    name: 'sign-in without passkeys',
    file: accounts('auth-fields'),
    path: '/?auth=1',
    answers: { 'settings.site': { ...recordedFor('guest')['settings.site'], passkeys: false } },
    fields: ['username', 'current-password'],
  },
  {
    name: 'sign-up',
    file: accounts('auth-fields'),
    path: '/?auth=1&mode=sign-up',
    fields: ['name', 'username', 'new-password'],
  },
  {
    name: 'administrators’ sign-in',
    file: accounts('admin-sign-in'),
    path: '/admin/settings',
    fields: ['username webauthn', 'current-password'],
  },
  {
    name: 'a new password by link',
    file: accounts('reset-password'),
    path: '/reset-password#mailed',
    answers: linkOf(client),
    known: client,
    fields: ['username', 'new-password'],
  },
  {
    name: 'the first password by link',
    file: accounts('reset-password'),
    path: '/reset-password?asksName=true#mailed',
    answers: linkOf('new@people.example'),
    known: 'new@people.example',
    fields: ['username', 'name', 'new-password'],
  },
  {
    name: 'a changed password',
    file: accounts('change-password'),
    path: settings,
    as: 'client',
    presses: ['Change password'],
    known: client,
    fields: ['username', 'current-password', 'new-password'],
  },
  {
    name: 'a changed password with two factors',
    file: accounts('change-password'),
    path: settings,
    as: 'client',
    answers: twoFactors,
    presses: ['Change password'],
    known: client,
    fields: ['username', 'current-password', 'one-time-code', 'new-password'],
  },
  {
    name: 'an authenticator app’s set-up',
    file: accounts('second-factor-card'),
    path: settings,
    as: 'client',
    answers: { 'secondFactor.get': { active: false, offered: true, demanded: false, codesLeft: 0 } },
    presses: ['Set up two-factor authentication'],
    known: client,
    fields: ['username', 'current-password'],
  },
  {
    name: 'new backup codes',
    file: accounts('second-factor-card'),
    path: settings,
    as: 'client',
    answers: twoFactors,
    presses: ['New backup codes'],
    known: client,
    fields: ['username', 'current-password', 'one-time-code'],
  },
  {
    name: 'a confirmation of identity',
    file: accounts('reauthentication-dialog'),
    path: '/profile?tab=privacy',
    as: 'client',
    answers: {
      ...twoFactors,
      'exports.list': [],
      'exports.request': refusal(412, 'precondition', 'full_reauthentication_required'),
    },
    presses: ['Request Export'],
    known: client,
    fields: ['username', 'current-password', 'one-time-code'],
  },
  {
    name: 'a deletion of the account',
    file: accounts('delete-account-dialog'),
    path: '/profile?tab=privacy',
    as: 'client',
    presses: [/^Delete$/],
    known: client,
    fields: ['username', 'current-password'],
  },
  {
    name: 'a locked journal',
    file: accounts('unlock-words'),
    path: '/growth?tab=journal',
    as: 'client',
    answers: { 'growth.journal.list': refusal(412, 'precondition', 'words_locked'), 'words.get': locked },
    known: client,
    fields: ['username', 'current-password'],
  },
  {
    name: 'a journal locked by a reset',
    file: accounts('unlock-words'),
    path: '/growth?tab=journal',
    as: 'client',
    answers: {
      'growth.journal.list': refusal(412, 'precondition', 'words_locked'),
      'words.get': { ...locked, passwordReplaced: true },
    },
    known: client,
    fields: ['username', 'off', 'current-password'],
  },
  {
    name: 'an emergency access',
    file: '/src/features/messaging/ui/emergency-room.tsx',
    path: '/admin/emergency',
    as: 'admin',
    known: 'admin@italk.example',
    fields: ['off', 'off', 'off', 'off', 'username', 'current-password'],
  },
];

const passwordForm = () => document.querySelector('input[type=password]')?.closest('form') ?? null;
const fieldsOf = (form: HTMLFormElement | null) =>
  [...(form?.querySelectorAll<HTMLInputElement>('input:not([type=checkbox]), textarea') ?? [])].map(
    ({ autocomplete }) => autocomplete,
  );

async function openForm({ path, as = 'guest', answers = {}, presses = [], fields }: PasswordForm) {
  await openPage(path, { as, answers });
  for (const name of presses) await button(name).first().click();
  await expect.poll(() => fieldsOf(passwordForm())).toEqual(fields);
  return passwordForm()!.querySelector<HTMLInputElement>('[autocomplete^=username]')!;
}

test.each(forms.filter(({ known }) => known === undefined))(
  'tell password managers what to fill in: $name',
  async (form) => {
    expect(await openForm(form)).toMatchObject({ type: 'email', readOnly: false });
  },
);

test.each(forms.filter(({ known }) => known !== undefined))(
  'name the account to password managers, and to nobody else: $name',
  async (form) => {
    const username = await openForm(form);
    expect(username).toMatchObject({
      type: 'text',
      value: form.known,
      readOnly: true,
      tabIndex: -1,
      ariaHidden: 'true',
    });
    expect(username.checkVisibility({ visibilityProperty: true, opacityProperty: true })).toBe(true);
    const { width, height } = username.getBoundingClientRect();
    expect(Math.max(width, height)).toBeLessThanOrEqual(1);
  },
);

test('cover all forms with a password', () => {
  const files = Object.entries(sources).flatMap(([file, source]) =>
    /<Password(Input|Field)\b/.test(source) ? [file] : [],
  );
  expect(files.toSorted()).toEqual([...new Set(forms.map(({ file }) => file))].toSorted());
});
