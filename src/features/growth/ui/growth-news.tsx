import { useGrowthNews } from './growth-acts.ts';

/** Announces live changes to screen readers. */
export function GrowthNews() {
  const news = useGrowthNews();
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {news}
    </p>
  );
}
