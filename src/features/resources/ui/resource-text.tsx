import { blocksOf, type Block, type Run } from '../reading/rules.ts';

export function ResourceText({ body }: { body: string }) {
  return (
    <div className="max-w-reading space-y-5 text-lg leading-8 print:text-base">
      {blocksOf(body).map((block, index) => (
        <Part key={index} block={block} />
      ))}
    </div>
  );
}

function Part({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return (
        <h2 className="pt-4 text-2xl break-after-avoid">
          <Runs runs={block.runs} />
        </h2>
      );
    case 'subheading':
      return (
        <h3 className="pt-2 text-xl break-after-avoid">
          <Runs runs={block.runs} />
        </h3>
      );
    case 'list':
    case 'steps': {
      const List = block.kind === 'list' ? 'ul' : 'ol';
      return (
        <List
          className={`space-y-2 pl-6 marker:text-quiet ${block.kind === 'list' ? 'list-disc' : 'list-decimal'}`}
        >
          {block.items.map((runs, index) => (
            <li key={index} className="pl-1">
              <Runs runs={runs} />
            </li>
          ))}
        </List>
      );
    }
    case 'quote':
      return (
        <figure className="border-l-3 border-gold pl-4 break-inside-avoid">
          <blockquote className="font-serif text-xl">
            <p>
              <Runs runs={block.runs} />
            </p>
          </blockquote>
          {block.source && <figcaption className="mt-1 text-base text-quiet">{block.source}</figcaption>}
        </figure>
      );
    case 'paragraph':
      return (
        <p>
          <Runs runs={block.runs} />
        </p>
      );
  }
}

function Runs({ runs }: { runs: readonly Run[] }) {
  return runs.map(({ text, look, href }, index) => {
    if (href) {
      return (
        <a
          key={index}
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          className="text-primary underline hover:text-primary-strong"
        >
          {text}
        </a>
      );
    }
    if (look === 'strong') return <strong key={index}>{text}</strong>;
    if (look === 'stressed') return <em key={index}>{text}</em>;
    return <span key={index}>{text}</span>;
  });
}
