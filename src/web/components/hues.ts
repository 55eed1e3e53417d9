/** Full class names, so Tailwind detects them. */
export const hues = {
  sea: 'bg-sea text-on-sea',
  wheat: 'bg-wheat text-on-wheat',
  leaf: 'bg-leaf text-on-leaf',
  dusk: 'bg-dusk text-on-dusk',
  plum: 'bg-plum text-on-plum',
  rose: 'bg-rose text-on-rose',
};

export type Hue = keyof typeof hues;
