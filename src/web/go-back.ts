import { useNavigate } from 'react-router';

/** Returns a function that goes back to the visit's previous page, or to `otherwise` if there is none. */
export function useGoBack(otherwise: string): () => void {
  const navigate = useNavigate();
  return () => void (hasEarlierPage() ? navigate(-1) : navigate(otherwise));
}

function hasEarlierPage(): boolean {
  // Older browsers lack the Navigation API. The router's `idx` misses pages loaded without it.
  const { navigation } = window as { navigation?: Navigation };
  const { idx } = (window.history.state ?? {}) as { idx?: number };
  return navigation?.canGoBack ?? Boolean(idx);
}
