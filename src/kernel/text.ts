/** Without control characters, nor only invisible ones. */
export const oneLine = /^(?![\s\p{DI}\u2800]+$)[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** Bidirectional controls can disguise text (UAX #9). */
export const directionControls = /[\u202A-\u202E\u2066-\u2069]/g;
export const noDirectionControls = /^[^\u202A-\u202E\u2066-\u2069]*$/u;

/** Multiline input: line breaks and tabs, but no other control characters. */
export const severalLines = /^[\P{Cc}\n\r\t]*$/u;

/** Escapes text for HTML content and quoted attributes. */
export function escapedHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Removes duplicates, ignoring case; keeps the first spelling. */
export function eachOnce(words: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const word of words) {
    const key = word.normalize('NFKC').toLowerCase();
    if (!seen.has(key)) seen.set(key, word);
  }
  return [...seen.values()];
}
