import { classes } from '#/web/components/classes.ts';

export function Scripture({ quote, verse, className }: { quote: string; verse: string; className?: string }) {
  return (
    <figure className={classes('border-l-3 border-gold pl-4', className)}>
      <blockquote className="font-serif text-xl">
        <p>“{quote}”</p>
      </blockquote>
      <figcaption className="mt-1 text-quiet">{verse}</figcaption>
    </figure>
  );
}
