/** The pattern by which `like` and `ilike` find the words anywhere: what they have as wildcards stands for itself. */
export function anywhere(words: string): string {
  return `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
