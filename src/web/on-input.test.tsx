import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useState } from 'react';
import { lazyHook } from './on-input.ts';

/** A button whose part loads when the test says so. */
function lateButton() {
  let arrive: (part: { text: string }) => void = () => undefined;
  let loads = 0;
  const usePart = lazyHook(() => {
    loads += 1;
    return new Promise<{ text: string }>((resolve) => (arrive = resolve));
  });
  function Tested() {
    const [open, setOpen] = useState(false);
    const part = usePart(open);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        {open && part && <p>{part.text}</p>}
      </>
    );
  }
  return { Tested, arrive: () => arrive({ text: 'Here it is' }), loads: () => loads };
}

test('repeats a press once its code has loaded, one time', async () => {
  const { Tested, arrive, loads } = lateButton();
  await render(<Tested />);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect.poll(loads).toBeGreaterThan(0);
  expect(page.getByText('Here it is').query()).toBeNull();
  arrive();
  await expect.element(page.getByText('Here it is')).toBeVisible();
});

test('preloads once someone points at a control', async () => {
  const { Tested, loads } = lateButton();
  await render(<Tested />);
  await page.getByRole('button', { name: 'Open', exact: true }).hover();
  await expect.poll(loads).toBe(1);
});
