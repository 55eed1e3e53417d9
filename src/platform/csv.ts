/**
 * Rows as a file of comma-separated values (RFC 4180), in UTF-8 with the mark by which spreadsheets know it. What a
 * spreadsheet would take for a formula begins with an apostrophe instead; numbers stay numbers.
 */
export function csv(rows: readonly (readonly (string | number | null)[])[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`\ufeff${csvLines(rows)}`);
}

/** Rows as a part of such a file; the mark goes before the first. */
export function csvLines(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/**
 * Where a formula would begin: in a cell, and behind what parts cells or lines for a spreadsheet that doesn't part them at
 * commas, since it knows no quotation mark within a cell.
 */
const formulas = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\r\n])(?=[=+\-@＝＋－＠])/g;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(formulas, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
