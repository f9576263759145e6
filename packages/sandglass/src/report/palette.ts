/** How a report paints; every function returns its text unchanged where there is no colour. */
export interface Palette {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly info: (text: string) => string
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly place: (text: string) => string
  readonly good: (text: string) => string
}

const same = (text: string): string => text

/** No colour at all. */
export const plainPalette: Palette = { error: same, warning: same, info: same, strong: same, faint: same, place: same, good: same }

/** What a text report may assume about where it is shown. */
export interface TextStyle {
  readonly palette: Palette
  /** Columns, at least 20. */
  readonly width: number
  /** Only ASCII of our own. */
  readonly ascii: boolean
}

/** 100 columns, no colour, ASCII: what is piped. */
export const plainStyle: TextStyle = { palette: plainPalette, width: 100, ascii: true }
