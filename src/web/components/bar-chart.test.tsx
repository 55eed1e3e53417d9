import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { desktop, phone } from '../../../tests/components/fair.ts';
import { openPage } from '../../../tests/components/page.tsx';

test.each([
  { width: 320, height: 700, named: 6 },
  { width: 360, height: 700, named: 6 },
  { width: 375, height: 700, named: 12 },
  { ...phone, named: 12 },
  { width: 800, height: 900, named: 12 },
  { ...desktop, named: 12 },
])(
  'names $named months in at least 14 px, apart from each other, at $width px',
  async ({ named, ...size }) => {
    await page.viewport(size.width, size.height);
    await openPage('/insights', { as: 'doctor' });
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(() => document.querySelectorAll('main figure').length).toBeGreaterThan(0);
    for (const chart of document.querySelectorAll('main figure')) {
      const months = [...chart.querySelectorAll('text, span')].filter(
        (one) => /^[A-Z][a-z]{2}$/.test(one.textContent) && one.checkVisibility({ visibilityProperty: true }),
      );
      expect(months).toHaveLength(named);
      const boxes = months.map((month) => {
        const words = document.createRange();
        words.selectNodeContents(month);
        return words.getBoundingClientRect();
      });
      for (const [index, month] of months.entries()) {
        const scale = month instanceof SVGGraphicsElement ? boxes[index]!.height / month.getBBox().height : 1;
        expect(Number.parseFloat(getComputedStyle(month).fontSize) * scale).toBeGreaterThanOrEqual(14);
        const before = boxes[index - 1]?.right ?? -1;
        expect(boxes[index]!.left - before).toBeGreaterThanOrEqual(1);
      }
      const [bars] = chart.querySelectorAll('svg');
      expect(boxes[0]!.left).toBeGreaterThanOrEqual(bars!.getBoundingClientRect().left - 4);
      expect(boxes.at(-1)!.right).toBeLessThanOrEqual(bars!.getBoundingClientRect().right + 4);
    }
  },
);
