import { useGrowthNews } from './growth-acts.ts';

/** Keeps what is shown of growth up to date, and says so to who can't see it. */
export function GrowthNews() {
  const news = useGrowthNews();
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {news}
    </p>
  );
}
