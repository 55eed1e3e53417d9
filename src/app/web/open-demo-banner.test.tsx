import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { expectFair } from '../../../tests/components/fair.ts';
import { OpenDemoBanner } from './open-demo-banner.tsx';

test('warns everybody, in either light and on phones', async () => {
  // As the page's body holds it, above the page's main part.
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
