/** One line that a person types: no line break and no other control character. */
export const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** Several lines that a person types: line breaks and tabs, but no other control character. */
export const severalLines = /^[\P{Cc}\n\r\t]*$/u;

/** Text as it may stand in HTML, between tags or in a quoted attribute. */
export function escapedHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The same words once, whatever their case, as they were written first. */
export function eachOnce(words: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const word of words) {
    const key = word.normalize('NFKC').toLowerCase();
    if (!seen.has(key)) seen.set(key, word);
  }
  return [...seen.values()];
}
