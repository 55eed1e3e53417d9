import type { ReactNode } from 'react';
import { wanted } from '../wanted.ts';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  /** Fixed below the scrolling body; submit buttons reference their form through the `form` attribute. */
  footer?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
}

export const useDialogViews = wanted(() => import('./dialog-views.tsx'));

/** A modal dialog; a bottom sheet on phones. Clicks outside don't close it, so a stray tap can't lose input. */
export function Dialog(props: DialogProps) {
  const views = useDialogViews(props.open);
  return views && <views.DialogView {...props} />;
}
