import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { expectNoise } from '../../../../tests/components/noise.ts';

test(
  'signs a guest in to subscribe to the daily devotional, and unsubscribes, by keyboard',
  { tags: ['long'] },
  async () => {
    // A script that runs only on served pages hides other days' verses.
    expectNoise(/a script tag/);
    const client = recordedFor('client');
    const wish = (dailyDevotionals: boolean) => ({
      'accounts.profile': { ...client['accounts.profile'], dailyDevotionals },
    });
    await openPage('/devotional', {
      answers: {
        'POST /api/auth/sign-in/email': () => {
          answer({ ...client, ...wish(false) });
          return { signedIn: true };
        },
        'accounts.updatePreferences': ({ dailyDevotionals }: { dailyDevotionals?: boolean }) => {
          if (dailyDevotionals !== undefined) answer(wish(dailyDevotionals));
          return client['accounts.me'];
        },
      },
    });
    const start = page.getByRole('button', { name: 'Email me daily' });
    const prompt = page.getByRole('dialog', { name: "You're almost there!" });
    await press(start);
    await expect.element(prompt).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(start).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await tabTo(prompt.getByLabelText('Email'));
    await userEvent.keyboard('client@italk.example{Tab}any-password{Enter}');
    const stop = page.getByRole('button', { name: 'Unsubscribe' });
    await expect.element(stop).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(start).toHaveFocus();
    await expect
      .poll(() => askedFor('accounts.updatePreferences'))
      .toMatchObject([{ dailyDevotionals: true }, { dailyDevotionals: false }]);
  },
);
