import type { OpenedUser } from '../users/contract.ts';

export interface UserDialogProps {
  user: OpenedUser;
  onClose: () => void;
}
