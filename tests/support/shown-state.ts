/** A layout flaw on screen. */
export interface Flaw {
  kind: 'scrolls sideways' | 'text cut off' | 'text outside its box' | 'controls overlap' | 'small target';
  /** The element, with its text. */
  where: string;
}

/** A state of a screen in the gallery. */
export interface ShownState {
  screen: string;
  state: string;
  /** Pictures by width and theme, such as `390-dark`. */
  pictures: Record<string, string>;
  /** With the width that shows each. */
  flaws: (Flaw & { at: string })[];
}
