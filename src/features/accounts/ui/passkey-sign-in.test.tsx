import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { passkeyAnswer, signedByPasskey } from '../../../../tests/components/passkeys.ts';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const ask = 'POST /api/auth/request-passkey';
const enter = 'POST /api/auth/sign-in/passkey';
const password = 'POST /api/auth/sign-in/email';
const options = { challenge: 'AAAA', rpId: 'localhost', timeout: 300_000, userVerification: 'required' };
const asked = { signedIn: false, passkey: options };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const toast = page.getByRole('listitem').filter({ hasText: 'Authentication Error' });
const email = page.getByLabelText('Email', { exact: true });

/** What the browser answers: to the email field's suggestions, and to the button. */
let fromField: (chosen: Credential) => void;
let fromButton: () => Promise<Credential>;
const get = vi.spyOn(navigator.credentials, 'get');
const conditional = vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable');

beforeEach(() => {
  fromButton = () => Promise.resolve(passkeyAnswer());
  conditional.mockResolvedValue(true);
  get.mockReset().mockImplementation((request) => {
    if (request?.mediation !== 'conditional') return fromButton();
    return new Promise((resolve, reject) => {
      fromField = resolve;
      request.signal!.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    });
  });
});

const signedIn = () => {
  answer(recordedFor('client'));
  return { signedIn: true };
};
const open = (answers: object = {}) =>
  openPage('/?auth=1&next=/about', { answers: { [ask]: asked, [enter]: signedIn, ...answers } });
const fieldAsks = () => get.mock.calls.filter(([request]) => request?.mediation === 'conditional').length;

describe('the card', () => {
  test('signs in by button and keyboard alone', async () => {
    await open();
    await expect.element(button('Sign in with a passkey')).toBeVisible();
    await expectFair('the card with passkeys');
    await press(button('Sign in with a passkey'));
    await expect.poll(address).toBe('/about');
    expect(askedFor(enter)).toMatchObject([{ passkey: signedByPasskey }]);
    const [request] = get.mock.calls.find(([one]) => one?.mediation !== 'conditional')!;
    expect(request?.publicKey).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  });

  test('offers passkeys in the email field, and signs in with the one chosen there', async () => {
    await open();
    await expect.element(email).toHaveAttribute('autocomplete', 'username webauthn');
    await expect.poll(fieldAsks).toBe(1);
    fromField(passkeyAnswer());
    await expect.poll(address).toBe('/about');
    expect(askedFor(enter)).toMatchObject([{ passkey: signedByPasskey }]);
  });

  test('ends the offer when it closes', async () => {
    await open();
    await expect.poll(fieldAsks).toBe(1);
    const { signal } = get.mock.calls[0]![0]!;
    await button('Forgot your password?').click();
    await expect.poll(() => signal!.aborted).toBe(true);
    await expect.element(button('Sign in with a passkey')).not.toBeInTheDocument();
    await expect.element(toast).not.toBeInTheDocument();
  });

  test.each([
    ['was closed', 'NotAllowedError'],
    ['can’t use an authenticator', 'UnknownError'],
  ])('keeps what was typed and offers again when the browser’s prompt %s', async (_how, name) => {
    fromButton = () => Promise.reject(new DOMException('', name));
    await open();
    await expect.poll(fieldAsks).toBe(1);
    await email.fill('ruth@amsel.example');
    await button('Sign in with a passkey').click();
    await expect.element(toast).toMatchTextContent('We couldn’t verify this passkey.');
    await expect.element(email).toHaveValue('ruth@amsel.example');
    await expect.poll(() => get.mock.calls.length).toBe(3);
    expect(askedFor(enter)).toEqual([]);
  });

  test('doesn’t ask the browser again while the button’s prompt is open', async () => {
    const asks = vi.fn<() => object>(() => asked);
    const late = Promise.withResolvers<Credential>();
    fromButton = () => late.promise;
    await open({ [ask]: asks });
    await expect.poll(fieldAsks).toBe(1);
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 });
    await button('Sign in with a passkey').click();
    await expect.poll(() => get.mock.calls.length).toBe(2);
    document.dispatchEvent(new Event('visibilitychange'));
    late.resolve(passkeyAnswer());
    await expect.poll(address).toBe('/about');
    expect(asks).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['removed', refusal(401, 'unauthenticated', 'wrong_passkey'), 'That passkey doesn’t work here.'],
    ['late', refusal(412, 'precondition', 'passkey_expired'), 'That took too long. Try again.'],
    ['copied', refusal(401, 'unauthenticated', 'passkey_copied'), 'may have been copied'],
    ['of a suspended account', refusal(403, 'forbidden', 'account_suspended'), 'suspended'],
  ])('explains a passkey that is %s', async (_, refused, sentence) => {
    await open({ [enter]: refused });
    await button('Sign in with a passkey').click();
    await expect.element(toast).toMatchTextContent(sentence);
  });

  test('doesn’t offer them where the site turned them off, or to people who sign up', async () => {
    const site = { ...recordedFor('guest')['settings.site'], passkeys: false };
    await open({ 'settings.site': site });
    await expect.element(button('Forgot your password?')).toBeVisible();
    await expect.element(email).toHaveAttribute('autocomplete', 'username');
    await expect.element(button('Sign in with a passkey')).not.toBeInTheDocument();
    expect(askedFor(ask)).toEqual([]);
    await openPage('/?auth=1&mode=sign-up');
    await expect.element(email).toHaveAttribute('autocomplete', 'username');
    await expect.element(button('Sign in with a passkey')).not.toBeInTheDocument();
  });

  test('stays the same in a browser without passkeys', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    await open();
    await expect.element(button('Forgot your password?')).toBeVisible();
    await expect.element(button('Sign in with a passkey')).not.toBeInTheDocument();
    expect(askedFor(ask)).toEqual([]);
    vi.unstubAllGlobals();
  });
});

test('administrators sign in with a passkey at their portal', async () => {
  await openPage('/admin/settings', {
    answers: {
      [ask]: asked,
      [enter]: () => {
        answer(recordedFor('admin'));
        return { signedIn: true };
      },
    },
  });
  await button('Sign in with a passkey').click();
  await expect.element(page.getByText('Welcome to iTalk Admin').first()).toBeVisible();
});

test('replaces the app’s code, with one of the account’s own', { tags: ['long'] }, async () => {
  const own = { ...options, allowCredentials: [{ id: 'AQ', type: 'public-key', transports: ['internal'] }] };
  await open({ [password]: { signedIn: false, secondStep: { setUp: null, passkey: own } } });
  await email.fill('ruth@amsel.example');
  await page.getByLabelText('Password', { exact: true }).fill('a-quiet-room-42');
  await button('Sign In').click();
  await expect.element(page.getByLabelText('Code from your app')).toHaveFocus();
  await expectFair('the second step with a passkey');
  await pressWith(button('Use a passkey instead'), {
    [password]: refusal(401, 'unauthenticated', 'wrong_passkey'),
  });
  await expect.element(page.getByRole('alert')).toMatchTextContent('That passkey doesn’t work here.');
  // Asked for five minutes ago: the next one signs a new challenge.
  const again = { signedIn: false, secondStep: { setUp: null, passkey: { ...own, challenge: 'AQEB' } } };
  await pressWith(button('Use a passkey instead'), {
    [password]: ({ passkey }: { passkey?: unknown }) =>
      passkey ? refusal(412, 'precondition', 'passkey_expired') : again,
  });
  await expect.element(page.getByRole('alert')).toMatchTextContent('That took too long. Try again.');
  await pressWith(button('Use a passkey instead'), { [password]: signedIn });
  await expect.poll(address).toBe('/about');
  expect(get.mock.calls.at(-1)![0]!.publicKey!.challenge).toEqual(Uint8Array.of(1, 1, 1).buffer);
  expect(askedFor(password).at(-1)).toMatchObject({
    email: 'ruth@amsel.example',
    password: 'a-quiet-room-42',
    passkey: signedByPasskey,
  });
});
