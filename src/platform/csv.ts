/**
 * Returns a CSV file (RFC 4180) in UTF-8 with a byte order mark for spreadsheets. Prefixes formula-like text with an
 * apostrophe; numbers stay numbers.
 */
export function csv(rows: readonly (readonly (string | number | null)[])[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`\ufeff${csvLines(rows)}`);
}

export function csvLines(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/**
 * Matches formula starts (CSV injection). Also after semicolons and line breaks inside a cell: spreadsheets with a
 * semicolon separator ignore quotation marks in mid-cell.
 */
const formulas = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\r\n])(?=[=+\-@＝＋－＠])/g;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(formulas, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
