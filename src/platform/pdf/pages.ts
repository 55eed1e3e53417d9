import { formatDate } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import { barHeights } from './bars.ts';
import type { Paper } from './paper.ts';

/** Light theme colors (theme.css). */
export const ink = '#1b2333';
export const quiet = '#565e6d';
const line = '#dcd7cd';
export const primary = '#0f5674';
export const sage = '#47754f';

/** In points. */
export const margin = 48;
const footer = 24;

/** Formats `YYYY-MM-DD` as a long date. */
export function dayText(date: string): string {
  return formatDate(date, { dateStyle: 'long' });
}

export class Pages {
  readonly paper: Paper;
  readonly width: number;
  y = margin;

  constructor(paper: Paper) {
    this.paper = paper;
    this.width = paper.doc.page.width - 2 * margin;
  }

  /** Starts a new page if `height` doesn't fit. */
  room(height: number): void {
    if (this.y + height <= this.paper.doc.page.height - margin - footer) return;
    this.paper.doc.addPage();
    this.y = margin;
  }

  /** Never alone at the end of a page. */
  heading(text: string): void {
    this.room(90);
    this.y += 20;
    this.y = this.paper.set(text, { face: 'heading', size: 14, color: ink, x: margin, y: this.y }) + 6;
  }

  head({
    siteName,
    date,
    title,
    subtitle,
  }: {
    siteName: string;
    date: string;
    title: string;
    subtitle: string;
  }): void {
    const { paper, width } = this;
    const { doc } = paper;
    const mark = 26;
    doc
      .save()
      .translate(margin, margin)
      .scale(mark / 64);
    doc.roundedRect(0, 0, 64, 64, 15).fill(primary);
    doc.path('M18 52V29a14 14 0 0 1 28 0v23z').fill('#fdfaf3');
    doc.path('M22 52a10 10 0 0 1 20 0z').fill('#e3ae4b');
    doc.restore();
    paper.set(siteName, { face: 'heading', size: 13, color: ink, x: margin + mark + 9, y: margin + 5 });
    paper.set(dayText(date), { size: 10, color: quiet, x: margin + width, y: margin + 8, align: 'right' });
    this.rule(margin + mark + 14);
    paper.set(title, { face: 'heading', size: 24, color: ink, x: margin, y: margin + 50 });
    this.y = paper.set(subtitle, { size: 12, color: quiet, x: margin, y: margin + 83, width });
  }

  figures(figures: readonly (readonly [label: string, value: string])[]): void {
    const { paper, width } = this;
    const gap = 10;
    const box = (width - gap * (figures.length - 1)) / figures.length;
    const top = this.y + 18;
    for (const [index, [label, value]] of figures.entries()) {
      const x = margin + index * (box + gap);
      paper.doc.roundedRect(x, top, box, 58, 7).lineWidth(0.75).stroke(line);
      paper.set(label, { size: 9, color: quiet, x: x + 11, y: top + 9 });
      paper.set(value, { face: 'heading', size: 20, color: ink, x: x + 11, y: top + 23 });
    }
    this.y = top + 58;
  }

  bars(
    months: readonly string[],
    sides: readonly { title: string; values: readonly number[]; color: string; max?: number }[],
  ): void {
    const gap = 24;
    const width = (this.width - gap * (sides.length - 1)) / sides.length;
    for (const [index, side] of sides.entries()) {
      drawBars(this.paper, { ...side, months, x: margin + index * (width + gap), y: this.y, width });
    }
    this.y += 110;
  }

  rule(y: number): void {
    this.paper.doc
      .moveTo(margin, y)
      .lineTo(margin + this.width, y)
      .lineWidth(0.5)
      .stroke(line);
  }

  feet(text: string): void {
    const { paper, width } = this;
    const { doc } = paper;
    const { count } = doc.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      doc.switchToPage(page);
      // Below the bottom margin, where PDFKit would start a new page.
      doc.page.margins.bottom = 0;
      const y = doc.page.height - margin - 4;
      paper.set(text, { size: 9, color: quiet, x: margin, y });
      paper.set(m.growth_report_page({ page: page + 1, count }), {
        size: 9,
        color: quiet,
        x: margin + width,
        y,
        align: 'right',
      });
    }
  }
}

function drawBars(
  { doc, set }: Paper,
  {
    title,
    values,
    months,
    color,
    max,
    x,
    y,
    width,
  }: {
    title: string;
    values: readonly number[];
    months: readonly string[];
    color: string;
    max?: number;
    x: number;
    y: number;
    width: number;
  },
): void {
  const floor = y + 94;
  const step = width / values.length;
  const bar = step * 0.6;
  set(title, { face: 'strong', size: 10, color: ink, x, y });
  for (const [index, height] of barHeights(values, 60, max).entries()) {
    const middle = x + step * (index + 0.5);
    if (height > 0) {
      doc.rect(middle - bar / 2, floor - height, bar, height).fill(color);
      set(String(values[index]), {
        face: 'strong',
        size: 8,
        color: ink,
        x: middle,
        y: floor - height - 11,
        align: 'center',
      });
    }
    const month = formatDate(`${months[index]!}-01`, { month: 'short' });
    set(month, { size: 7.5, color: quiet, x: middle, y: floor + 4, align: 'center' });
  }
  doc
    .moveTo(x, floor)
    .lineTo(x + width, floor)
    .lineWidth(0.75)
    .stroke(quiet);
}
