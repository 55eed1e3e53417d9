import { useId, useState } from 'react';
import { ReactCrop, type PercentCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { photoQueryOf, squareWithin, type Square } from '../profile/rules.ts';
import { photoRefusal, sendPhoto } from './photo-upload.ts';

interface Measures {
  width: number;
  height: number;
}

/** Import it lazily. */
export function PhotoDialog({
  file,
  address,
  onClose,
  onChooseAnother,
  onSent,
}: {
  file: File;
  address: string;
  onClose: () => void;
  onChooseAnother: () => void;
  onSent: () => void;
}) {
  const progressId = useId();
  const [measures, setMeasures] = useState<Measures | null>(null);
  const [square, setSquare] = useState<Square | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** From 0 to 1; null when idle. */
  const [sent, setSent] = useState<number | null>(null);
  const busy = sent !== null;

  const send = async () => {
    if (!square || !measures) return;
    setProblem(null);
    setSent(0);
    try {
      await sendPhoto(file, photoQueryOf(square, measures.width, measures.height), setSent);
      onSent();
    } catch (error) {
      setProblem(photoRefusal(error));
      setSent(null);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={m.accounts_photo_crop_title()}
      description={m.accounts_photo_crop_text()}
      footer={
        <>
          <Button variant="secondary" onClick={onChooseAnother} disabled={busy}>
            {m.accounts_photo_other()}
          </Button>
          <Button busy={busy} disabled={!square} onClick={() => void send()}>
            {m.accounts_photo_use()}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {problem && <Notice tone="destructive">{problem}</Notice>}
        {!measures && !problem && (
          <div className="grid min-h-40 place-items-center">
            <Spinner label={m.accounts_photo_opening()} />
          </div>
        )}
        <div className="flex justify-center">
          <ReactCrop
            crop={square && measures ? percentOf(square, measures) : undefined}
            onChange={(_, crop) => {
              if (measures && !busy) setSquare(squareOf(crop, measures));
            }}
            aspect={1}
            circularCrop
            keepSelection
            minWidth={32}
            disabled={busy}
            ariaLabels={{
              cropArea: m.accounts_photo_crop_area(),
              nwDragHandle: m.accounts_photo_crop_corner(),
              neDragHandle: m.accounts_photo_crop_corner(),
              swDragHandle: m.accounts_photo_crop_corner(),
              seDragHandle: m.accounts_photo_crop_corner(),
              nDragHandle: m.accounts_photo_crop_edge(),
              eDragHandle: m.accounts_photo_crop_edge(),
              sDragHandle: m.accounts_photo_crop_edge(),
              wDragHandle: m.accounts_photo_crop_edge(),
            }}
            className={measures ? undefined : 'hidden!'}
          >
            <img
              src={address}
              alt={m.accounts_photo_alt()}
              className="max-h-[45dvh] max-w-full"
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
                setMeasures({ width, height });
                setSquare(
                  squareWithin(Math.min(width, height), { x: width / 2, y: height / 2 }, width, height),
                );
              }}
              onError={() => setProblem(m.accounts_photo_unreadable())}
            />
          </ReactCrop>
        </div>
        {measures && square && (
          <SquareSize measures={measures} square={square} disabled={busy} onChange={setSquare} />
        )}
        {sent !== null && (
          <div>
            <label htmlFor={progressId} className="mb-1.5 block font-semibold" role="status">
              {sent < 1 ? m.accounts_photo_sending() : m.accounts_photo_making()}
            </label>
            <progress id={progressId} max={1} value={sent} className="h-2 w-full accent-primary" />
          </div>
        )}
      </div>
    </Dialog>
  );
}

function SquareSize({
  measures,
  square,
  disabled,
  onChange,
}: {
  measures: Measures;
  square: Square;
  disabled: boolean;
  onChange: (square: Square) => void;
}) {
  const id = useId();
  const shorter = Math.min(measures.width, measures.height);
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-semibold">
        {m.accounts_photo_crop_size()}
      </label>
      <input
        id={id}
        type="range"
        min={10}
        max={100}
        step={1}
        value={Math.round((square.side / shorter) * 100)}
        disabled={disabled}
        onChange={({ target }) => {
          const middle = { x: square.x + square.side / 2, y: square.y + square.side / 2 };
          const side = (shorter * Number(target.value)) / 100;
          onChange(squareWithin(side, middle, measures.width, measures.height));
        }}
        className="h-11 w-full cursor-pointer accent-primary"
      />
    </div>
  );
}

function percentOf({ x, y, side }: Square, { width, height }: Measures): PercentCrop {
  return {
    unit: '%',
    x: (x / width) * 100,
    y: (y / height) * 100,
    width: (side / width) * 100,
    height: (side / height) * 100,
  };
}

function squareOf({ x, y, width: side }: PercentCrop, { width, height }: Measures): Square {
  return { x: (x / 100) * width, y: (y / 100) * height, side: (side / 100) * width };
}
