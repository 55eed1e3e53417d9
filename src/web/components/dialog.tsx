import { lazyHook } from '../on-input.ts';
import type { DialogProps } from './dialog-views.tsx';

export const useDialogViews = lazyHook(() => import('./dialog-views.tsx'));

/** A modal dialog; a bottom sheet on phones. Clicks outside don't close it, so a stray tap can't lose input. */
export function Dialog(props: DialogProps) {
  const views = useDialogViews(props.open);
  return views && <views.DialogView {...props} />;
}
