import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const request = 'POST /api/auth/request-sign-in-code';
const enter = 'POST /api/auth/sign-in/code';

const field = page.getByLabelText('6-digit code', { exact: true });
const email = page.getByLabelText('Email', { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });
const title = page.getByRole('heading', { level: 1 });
const wrong = refusal(400, 'invalid', 'wrong_code', {
  fields: [{ field: 'emailCode', reason: 'wrong_code' }],
});
const expired = refusal(412, 'precondition', 'code_expired');
const spent = refusal(412, 'precondition', 'code_spent');

function signedIn(): object {
  answer(recordedFor('client'));
  return { signedIn: true };
}

async function askForCode(answers: object = {}, path = '/?auth=1&next=/about'): Promise<void> {
  await openPage(path, { answers: { [request]: { signedIn: false }, ...answers } });
  await email.fill('ruth@amsel.example');
  await button('Email me a code').click();
  await expect.element(field).toHaveFocus();
}

test('asks for a code, enters it and signs in by keyboard alone', { tags: ['long'] }, async () => {
  await openPage('/?auth=1&next=/about', {
    answers: { [request]: { signedIn: false }, [enter]: signedIn },
  });
  await press(button('Email me a code'));
  await expect.element(title).toHaveTextContent('Sign in by email');
  await expectFair('the card that asks for an address');
  await expect.element(email).toHaveFocus();
  await userEvent.keyboard('ruth@amsel.example{Enter}');
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAttribute('autocomplete', 'one-time-code');
  await expect.element(field).toHaveAttribute('inputmode', 'numeric');
  await expect
    .element(page.getByText(/^If ruth@amsel\.example has an account, an email is on its way\./))
    .toBeVisible();
  await expectFair('the card that asks for the code');
  await userEvent.keyboard('123 456{Enter}');
  await expect.element(toast('Welcome back! 🙏')).toMatchTextContent('You have successfully signed in.');
  await expect.poll(address).toBe('/about');
  expect(askedFor(request)).toEqual([{ email: 'ruth@amsel.example', next: '/about' }]);
  expect(askedFor(enter)).toEqual([{ emailCode: '123 456' }]);
});

test('names a missing or wrong code at its field, and keeps it', { tags: ['long'] }, async () => {
  await askForCode({ [enter]: wrong });
  await field.fill('12345');
  await button('Sign In').click();
  await expect.element(field).toHaveAccessibleDescription('Enter the 6 digits from our email.');
  expect(askedFor(enter)).toEqual([]);
  await field.fill('123456');
  await button('Sign In').click();
  await expect
    .element(field)
    .toHaveAccessibleDescription('That code isn’t right. Use the one in our latest email.');
  await expect.element(field).toHaveValue('123456');
  await expect.element(field).toHaveFocus();
  await expectFair('a wrong code');
});

test.each([
  ['an expired code', expired, 'This code has expired or was replaced. Get a new one.'],
  ['too many wrong codes', spent, 'Too many wrong codes. Get a new one.'],
])('explains %s, and emails a new one', async (_, refused, sentence) => {
  await askForCode({ [enter]: refused });
  await field.fill('123456');
  await button('Sign In').click();
  await expect.element(page.getByText(sentence)).toBeVisible();
  await button('Email me a new code').click();
  await expect.element(toast('Please check your email')).toBeVisible();
  await expect.element(field).toHaveValue('');
  await expect.element(field).toHaveFocus();
  await expect.element(page.getByText(sentence)).not.toBeInTheDocument();
  expect(askedFor(request)).toHaveLength(2);
});

test('says when the server can’t be reached, keeps the code and signs in on retry', async () => {
  await askForCode({ [enter]: unreachable });
  await field.fill('123456');
  await button('Sign In').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('We couldn’t reach the server.');
  await expect.element(field).toHaveValue('123456');
  await pressWith(button('Sign In'), { [enter]: signedIn });
  await expect.poll(address).toBe('/about');
});

test('says when too many codes were asked for, and leads back to the password', async () => {
  await askForCode();
  answer({ [request]: refusal(429, 'rate_limited', 'too_many_tries') });
  await field.fill('1234');
  await button('Email me a new code').click();
  await expect
    .element(toast('Authentication Error'))
    .toMatchTextContent('Too many attempts. Wait 15 minutes, then try again.');
  await expect.element(field).toHaveValue('1234');
  await button('Back to sign in').click();
  await expect.element(title).toHaveTextContent('Sign in to iTalk');
  await expect.element(email).toHaveValue('ruth@amsel.example');
  await expect.element(page.getByLabelText('Password', { exact: true })).toBeVisible();
});

test('asks for the authenticator app’s code after the emailed one', { tags: ['long'] }, async () => {
  await askForCode({ [enter]: { signedIn: false, secondStep: { setUp: null } } });
  await field.fill('123456');
  await button('Sign In').click();
  const second = page.getByLabelText('Code from your app');
  await expect.element(second).toHaveFocus();
  answer({ [enter]: signedIn });
  await second.fill('654321');
  await button('Sign In').click();
  await expect.poll(address).toBe('/about');
  expect(askedFor(enter)).toEqual([{ emailCode: '123456' }, { emailCode: '123456', code: '654321' }]);
});

test('isn’t offered where the site turned it off', async () => {
  const site = { ...recordedFor('guest')['settings.site'], signInCode: false };
  await openPage('/?auth=1', { answers: { 'settings.site': site } });
  await expect.element(button('Forgot your password?')).toBeVisible();
  await expect.element(button('Email me a code')).not.toBeInTheDocument();
});

test('a link signs in only after a click, and continues where the request began', async () => {
  await openPage('/sign-in-code?next=%2Fabout#123456', { answers: { [enter]: signedIn } });
  await expect.element(title).toHaveTextContent('Sign in by email');
  await expectFair('the page of the emailed link');
  expect(askedFor(enter)).toEqual([]);
  await press(button('Sign In'));
  await expect.poll(address).toBe('/about');
  expect(askedFor(enter)).toEqual([{ emailCode: '123456' }]);
});

test('a link opened on another device shows the code to enter', async () => {
  await openPage('/sign-in-code?next=%2Fabout#012345', { answers: { [enter]: expired } });
  await button('Sign In').click();
  await expect.element(title).toHaveTextContent('Enter this code where you asked for it');
  await expect.element(page.getByRole('status').filter({ hasText: '012345' })).toBeVisible();
  await expectFair('the code on another device');
  await page.getByRole('link', { name: 'Sign in here instead' }).click();
  await expect.poll(address).toBe('/?auth=1&next=%2Fabout');
});

test('a link from an earlier email or cut short offers a new code', async () => {
  await openPage('/sign-in-code#123456', { answers: { [enter]: wrong } });
  await button('Sign In').click();
  await expect.element(title).toHaveTextContent('This link no longer works');
  await expect.element(button('Email me a code')).toBeVisible();
  await expectFair('an old link');
  await openPage('/sign-in-code#1234');
  await expect.element(title).toHaveTextContent('This link no longer works');
});

test('a link says when the server can’t be reached, and asks for the second step', async () => {
  await openPage('/sign-in-code#123456', { answers: { [enter]: unreachable } });
  await button('Sign In').click();
  await expect.element(page.getByText(/We couldn’t reach the server/).first()).toBeVisible();
  await pressWith(button('Sign In'), { [enter]: { signedIn: false, secondStep: { setUp: null } } });
  answer({ [enter]: signedIn });
  await page.getByLabelText('Code from your app').fill('654321');
  await button('Sign In').click();
  await expect.poll(address).toBe('/home');
});

for (const next of ['//evil.example', 'https://evil.example'])
  test(`a link never continues to ${next}`, async () => {
    await openPage(`/sign-in-code?next=${encodeURIComponent(next)}#123456`, {
      answers: { [enter]: signedIn },
    });
    await button('Sign In').click();
    await expect.poll(address).toBe('/home');
  });

describe('by text', () => {
  const textRequest = 'POST /api/auth/request-texted-code';
  const siteWithTexts = { ...recordedFor('guest')['settings.site'], textedCode: true };

  const phone = page.getByLabelText('Mobile number', { exact: true });

  async function openWithTexts(answers: object = {}): Promise<void> {
    const sent = { [textRequest]: { signedIn: false }, [enter]: signedIn };
    await openPage('/?auth=1&next=/about', {
      answers: { 'settings.site': siteWithTexts, ...sent, ...answers },
    });
  }

  test('asks for a text, enters its code and signs in by keyboard alone', async () => {
    await openWithTexts();
    await expect.element(button('Text me a code')).toBeVisible();
    await expectFair('the card with codes by text');
    await press(button('Text me a code'));
    await expect.element(title).toHaveTextContent('Sign in by text');
    await expect.element(phone).toHaveAttribute('type', 'tel');
    await expect.element(phone).toHaveAttribute('autocomplete', 'tel');
    await expectFair('the card that asks for a number');
    await expect.element(phone).toHaveFocus();
    await userEvent.keyboard('(212) 555-0123{Enter}');
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveAttribute('autocomplete', 'one-time-code');
    await expect
      .element(page.getByText(/^If \(212\) 555-0123 can sign in here, a text is on its way\./))
      .toBeVisible();
    await expectFair('the card that asks for the texted code');
    await userEvent.keyboard('123456{Enter}');
    await expect.poll(address).toBe('/about');
    expect(askedFor(textRequest)).toEqual([{ phone: '(212) 555-0123' }]);
    expect(askedFor(enter)).toEqual([{ emailCode: '123456' }]);
  });

  test('asks for the second factor after the texted code', { tags: ['long'] }, async () => {
    await openWithTexts({ [enter]: { signedIn: false, secondStep: { setUp: null } } });
    await button('Text me a code').click();
    await phone.fill('212 555 0123');
    await button('Text me a code').click();
    await field.fill('123456');
    await button('Sign In').click();
    answer({ [enter]: signedIn });
    await page.getByLabelText('Code from your app').fill('654321');
    await button('Sign In').click();
    await expect.poll(address).toBe('/about');
    expect(askedFor(enter).at(-1)).toEqual({ emailCode: '123456', code: '654321' });
  });

  test.each([
    ['bad_format', 'Enter a mobile number like (212) 555-0123, or start with + and the country code.'],
    ['country', 'We can’t text numbers in that country.'],
    ['not_mobile', 'We can’t text this number. Use a mobile number.'],
  ])('names the number’s fault at its field, and keeps it: %s', async (reason, sentence) => {
    await openWithTexts({
      [textRequest]: refusal(400, 'invalid', reason, { fields: [{ field: 'phone', reason }] }),
    });
    await button('Text me a code').click();
    await button('Text me a code').click();
    await expect.element(phone).toHaveAccessibleDescription('Enter your mobile number.');
    expect(askedFor(textRequest)).toEqual([]);
    await phone.fill('900 555 1234');
    await button('Text me a code').click();
    await expect.element(phone).toHaveAccessibleDescription(sentence);
    await expect.element(phone).toHaveValue('900 555 1234');
  });

  test('texts a new code, and says when there were too many', async () => {
    await openWithTexts({
      [enter]: refusal(400, 'invalid', 'wrong_code', {
        fields: [{ field: 'emailCode', reason: 'wrong_code' }],
      }),
    });
    await button('Text me a code').click();
    await phone.fill('212 555 0123');
    await button('Text me a code').click();
    await field.fill('123456');
    await button('Sign In').click();
    await expect
      .element(field)
      .toHaveAccessibleDescription('That code isn’t right. Use the one in our latest text.');
    await button('Text me a new code').click();
    await expect.element(toast('Check your phone')).toMatchTextContent('a new code is on its way');
    await pressWith(button('Text me a new code'), {
      [textRequest]: refusal(429, 'rate_limited', 'too_many_texts'),
    });
    await expect.element(toast('Authentication Error')).toMatchTextContent('We can’t send more texts now.');
    await button('Back to sign in').click();
    await expect.element(title).toHaveTextContent('Sign in to iTalk');
  });

  test('offers no texts where they’re off', async () => {
    await openPage('/?auth=1');
    await expect.element(button('Email me a code')).toBeVisible();
    await expect.element(button('Text me a code')).not.toBeInTheDocument();
  });
});
