import { useState } from 'react';

/** Mounts a dialog when it's first shown, and keeps it mounted with what was typed. */
export function useLazyDialog() {
  const [mounted, setMounted] = useState(false);
  const [open, setOpen] = useState(false);
  return {
    mounted,
    props: { open, onOpenChange: setOpen },
    show() {
      setMounted(true);
      setOpen(true);
    },
  };
}
