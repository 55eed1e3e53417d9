import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { expectFair } from '../../../tests/components/fair.ts';
import { OpenDemoBanner } from './open-demo-banner.tsx';

test('warns in light and dark themes and on phones', async () => {
  await render(
    <>
      <OpenDemoBanner />
      <main>
        <h1>A page</h1>
      </main>
    </>,
  );
  await expect
    .element(page.getByRole('complementary', { name: 'Public demo' }))
    .toMatchTextContent('anyone can sign in');
  await expectFair('an open demo');
});
