import { readWord, type Word } from './call-rules.ts';

/** Messages to and from the other page, on a data channel that both ends open by themselves. */
export function createPeerMessages({
  connection,
  onOpen,
  onMessage,
  onClose,
}: {
  connection: RTCPeerConnection;
  onOpen: () => void;
  onMessage: (message: Word) => void;
  onClose: () => void;
}) {
  let channel: RTCDataChannel | null = null;
  return {
    open() {
      channel = connection.createDataChannel('room', { negotiated: true, id: 0 });
      channel.addEventListener('open', onOpen);
      channel.addEventListener('message', ({ data }) => {
        const message = readWord(data);
        if (message) onMessage(message);
      });
      channel.addEventListener('close', onClose);
    },
    /** Drops messages while the channel isn't open. */
    send(message: Word) {
      if (channel?.readyState === 'open') channel.send(JSON.stringify(message));
    },
  };
}
