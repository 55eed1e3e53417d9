export interface Run {
  text: string;
  look: 'plain' | 'strong' | 'stressed';
  href?: string;
}

export type Block =
  | { kind: 'paragraph' | 'heading' | 'subheading'; runs: Run[] }
  | { kind: 'list' | 'steps'; items: Run[][] }
  | { kind: 'quote'; runs: Run[]; source: string | null };

/**
 * Parses a Markdown subset: `## `, `### `, `- `, `1. `, `> ` (a last line `— Psalm 34:18` is the source), `**strong**`,
 * `*stressed*` and `[words](https://…)`. Blank lines end blocks. Everything else, including HTML, is plain text.
 */
export function blocksOf(body: string): Block[] {
  return body
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .flatMap((part) => {
      const lines = part
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
      return lines.length > 0 ? linesToBlocks(lines) : [];
    });
}

function linesToBlocks(lines: string[]): Block[] {
  const [first = '', ...rest] = lines;
  const heading = /^(##|###) +(.+)$/.exec(first);
  if (heading) {
    const kind = heading[1] === '##' ? 'heading' : 'subheading';
    return [{ kind, runs: runsOf(heading[2]!) }, ...(rest.length > 0 ? linesToBlocks(rest) : [])];
  }
  if (lines.every((line) => line.startsWith('- '))) {
    return [{ kind: 'list', items: lines.map((line) => runsOf(line.slice(2))) }];
  }
  if (lines.every((line) => /^\d+\. /.test(line))) {
    return [{ kind: 'steps', items: lines.map((line) => runsOf(line.replace(/^\d+\. /, ''))) }];
  }
  if (lines.every((line) => line.startsWith('>'))) {
    const quoted = lines.map((line) => line.slice(1).trim()).filter(Boolean);
    const last = quoted.at(-1) ?? '';
    const source = quoted.length > 1 && last.startsWith('— ') ? last.slice(2) : null;
    return [{ kind: 'quote', runs: runsOf((source ? quoted.slice(0, -1) : quoted).join(' ')), source }];
  }
  return [{ kind: 'paragraph', runs: runsOf(lines.join(' ')) }];
}

// Link text excludes brackets, so each `[` scans only to the next one: avoids quadratic time on many brackets.
const marks = /\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^[\]]+)\]\((https:\/\/[^\s()]+)\)/g;

function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  let from = 0;
  const plain = (to: number) => {
    if (to > from) runs.push({ text: text.slice(from, to), look: 'plain' });
  };
  for (const match of text.matchAll(marks)) {
    const [whole, strong, stressed, words, href] = match;
    plain(match.index);
    if (href !== undefined) runs.push({ text: words!, look: 'plain', href });
    else if (strong !== undefined) runs.push({ text: strong, look: 'strong' });
    else runs.push({ text: stressed!, look: 'stressed' });
    from = match.index + whole.length;
  }
  plain(text.length);
  return runs;
}

/** In minutes, at 200 words each. */
export function readingMinutes(body: string): number {
  return Math.max(1, Math.round(body.split(/\s+/).filter(Boolean).length / 200));
}
